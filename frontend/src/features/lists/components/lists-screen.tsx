import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { EmptyState } from '../../../ui/empty-state';
import { Freshness, RefreshFailed, shownData } from '../../../ui/freshness';
import { Pager } from '../../../ui/grid/pager';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconLists, IconPlus, IconSearch } from '../../../ui/icons';
import { Page } from '../../../ui/page';
import { PageHeader } from '../../../ui/page-header';
import { SearchField } from '../../../ui/search-field';
import { SectionError } from '../../../ui/section-error';
import { CardSkeletons, Waiting } from '../../../ui/skeletons';
import { useLists, type EmailList } from '../api';
import { ListDialog } from '../forms/list-dialog';
import { messages } from '../messages';
import { ListCard } from './list-card';

/** All lists as cards. */
export function ListsScreen() {
  const grid = useServerGrid({ pageSize: 24 });
  const query = useLists(grid.args);
  const { error, isFetching, refetch } = query;
  const data = shownData(query);
  const [creating, setCreating] = useState(false);
  const create = () => setCreating(true);
  return (
    <Page>
      <PageHeader
        title="Email Lists"
        description="Who you write to. Only contacts who confirmed receive a send."
        freshness={<Freshness query={query} what="lists" />}
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
      {error && !data && <SectionError message={messages.loadFailed} pending={isFetching} onRetry={() => void refetch()} />}
      {!error && !data && (
        <Waiting label="Loading lists">
          <CardSkeletons height={148} />
        </Waiting>
      )}
      {data && <ListCards lists={data.rows} searching={Boolean(grid.search)} onCreate={create} />}
      {data && <Pager label="lists" grid={grid} count={data.rows.length} total={data.total} isTotalCapped={data.isTotalCapped} next={data.next} prev={data.prev} loading={isFetching && !query.currentData} fixedSize />}
      {creating && <ListDialog open onClose={() => setCreating(false)} />}
    </Page>
  );
}

function ListCards({ lists, searching, onCreate }: { lists: EmailList[]; searching: boolean; onCreate: () => void }) {
  if (lists.length === 0 && searching) return <EmptyState icon={IconSearch} title="No lists found matching your search" />;
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
    <Box component="section" aria-label="Lists" sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(min(300px, 100%), 1fr))' }}>
      {lists.map((list) => (
        <ListCard key={list.id} list={list} />
      ))}
    </Box>
  );
}
