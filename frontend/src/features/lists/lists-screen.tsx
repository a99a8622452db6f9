import { screenHeaders } from '../../lib/screen-headers';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { client } from '../../api/client';
import { useOpenInAddress } from '../../lib/use-address';
import { SearchField } from '../../ui/form/search-field';
import { PagedItems } from '../../ui/grid/paged-items';
import { useServerGrid } from '../../ui/grid/use-server-grid';
import { IconLists, IconPlus, IconSearch } from '../../ui/icons';
import { EmptyState } from '../../ui/loading/empty-state';
import { DataAge, RefreshFailed } from '../../ui/loading/data-age';
import { CardSkeletons } from '../../ui/loading/skeletons';
import { Page, PageHeader } from '../../ui/page/page';
import { messages, type EmailList } from './api';

import { ListCard } from './list-card';
import { ListDialog } from './list-dialog';

/** All lists as cards. */
export function ListsScreen() {
  const grid = useServerGrid({ pageSize: 24 });
  const query = client.useListEmailListsQuery(grid.args);
  const [creating, open, close] = useOpenInAddress('new');
  const create = () => open('list');
  return (
    <Page>
      <PageHeader
        {...screenHeaders.lists}
        freshness={<DataAge query={query} name="lists" />}
        action={
          <Button variant="contained" startIcon={<IconPlus size={17} aria-hidden />} onClick={create}>
            Create List
          </Button>
        }
      />
      <Box sx={{ maxWidth: 420, mb: 2.5 }}>
        <SearchField label="Search lists..." value={grid.search} onSearch={grid.setSearch} />
      </Box>
      <RefreshFailed query={query} />
      <PagedItems
        label="lists"
        grid={grid}
        query={query}
        failedText={messages.loadFailed}
        skeletons={<CardSkeletons height={148} />}
      >
        {({ rows }) => <ListCards lists={rows} searching={Boolean(grid.search)} onCreate={create} />}
      </PagedItems>
      {creating && <ListDialog open onClose={close} />}
    </Page>
  );
}

function ListCards({ lists, searching, onCreate }: { lists: EmailList[]; searching: boolean; onCreate: () => void }) {
  if (lists.length === 0 && searching)
    return <EmptyState icon={IconSearch} title="No lists found matching your search" />;
  if (lists.length === 0) {
    return (
      <EmptyState
        icon={IconLists}
        title="No email lists yet"
        text="A list is a group of people you write to: vendors, hiring managers, bench partners."
        action={
          <Button variant="contained" startIcon={<IconPlus size={17} aria-hidden />} onClick={onCreate}>
            Create your first list
          </Button>
        }
      />
    );
  }
  return (
    <Box
      component="section"
      aria-label="Lists"
      sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(min(300px, 100%), 1fr))' }}
    >
      {lists.map((list) => (
        <ListCard key={list.id} list={list} />
      ))}
    </Box>
  );
}
