import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { client } from '../../api/client';
import { screenHeaders } from '../../lib/screen-headers';
import { HistoryTabs } from '../../shared/history-tabs';
import { SearchField } from '../../ui/form/search-field';
import { GridFilter } from '../../ui/grid/filter-bar';
import { PagedItems } from '../../ui/grid/paged-items';
import { useServerGrid } from '../../ui/grid/use-server-grid';
import { IconClock, IconSearch } from '../../ui/icons';
import { EmptyState } from '../../ui/loading/empty-state';
import { DataAge, RefreshFailed } from '../../ui/loading/data-age';
import { RowSkeletons } from '../../ui/loading/skeletons';
import { Page, PageHeader } from '../../ui/page/page';
import { SendLink } from '../../ui/send-link';
import { messages, type ScheduledItem } from './api';
import { ScheduledCard } from './scheduled-card';

const states = [
  { value: '', label: 'Waiting' },
  { value: 'scheduled', label: 'Scheduled' },
  { value: 'blocked', label: 'Needs attention' },
  { value: 'sent', label: 'Sent' },
  { value: 'cancelled', label: 'Cancelled' },
  { value: 'all', label: 'All' },
] as const;

/** Scheduled emails. The server searches and filters; the URL holds all choices. */
export function ScheduledScreen() {
  const grid = useServerGrid({ filters: { state: states.map(({ value }) => value) } });
  const { state } = grid.filters;
  const query = client.useListScheduledQuery({
    ...grid.args,
    ...(state !== 'all' && { state: state || 'open' }),
    // Sent and cancelled emails are sorted with the latest first.
    ...((state === 'sent' || state === 'cancelled') && { sort: '-dueAt' }),
  });
  return (
    <Page>
      <PageHeader
        {...screenHeaders.scheduled}
        action={<SendLink />}
        freshness={<DataAge query={query} name="scheduled emails" />}
      />
      <HistoryTabs />
      <Box
        sx={{
          display: 'grid',
          gap: 1.25,
          gridTemplateColumns: { xs: '1fr', sm: 'minmax(0, 2fr) minmax(0, 1fr)' },
          mb: 2.5,
          alignItems: 'end',
        }}
      >
        <SearchField label="Search by subject..." value={grid.search} onSearch={grid.setSearch} />
        <GridFilter grid={grid} name="state" label="State" choices={states} />
      </Box>
      <RefreshFailed query={query} />
      <PagedItems
        label="scheduled emails"
        grid={grid}
        query={query}
        failedText={messages.loadFailed}
        skeletons={<RowSkeletons count={3} height={112} />}
      >
        {({ rows }) => <Items items={rows} isFiltered={Boolean(grid.search || state)} />}
      </PagedItems>
    </Page>
  );
}

function Items({ items, isFiltered }: { items: ScheduledItem[]; isFiltered: boolean }) {
  if (items.length === 0 && isFiltered) return <EmptyState icon={IconSearch} title={messages.noMatch} />;
  if (items.length === 0)
    return <EmptyState icon={IconClock} title={messages.empty} action={<SendLink label="Write an email" />} />;
  return (
    <Stack component="section" aria-label="Scheduled emails" sx={{ gap: 1.25 }}>
      {items.map((item) => (
        <ScheduledCard key={item.id} item={item} />
      ))}
    </Stack>
  );
}
