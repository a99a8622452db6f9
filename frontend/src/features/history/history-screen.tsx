import { screenHeaders } from '../../lib/screen-headers';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { Link as RouterLink } from 'react-router-dom';
import { client } from '../../api/client';
import { routes } from '../../lib/routes';
import { SearchField } from '../../ui/form/search-field';
import { HistoryTabs } from '../../shared/history-tabs';
import { GridFilter } from '../../ui/grid/filter-bar';
import { PagedItems } from '../../ui/grid/paged-items';
import { useServerGrid } from '../../ui/grid/use-server-grid';
import { IconHistory, IconSearch } from '../../ui/icons';
import { EmptyState } from '../../ui/loading/empty-state';
import { DataAge, RefreshFailed } from '../../ui/loading/data-age';
import { RowSkeletons } from '../../ui/loading/skeletons';
import { Page, PageHeader } from '../../ui/page/page';
import { SendLink } from '../../ui/send-link';
import { messages, type HistoryItem } from './api';
import { HistoryCard } from './history-card';

const types = [
  { value: '', label: 'All Types' },
  { value: 'job-post', label: 'Job Posts' },
  { value: 'candidate-list', label: 'Candidate Lists' },
] as const;

const statuses = [
  { value: '', label: 'All Statuses' },
  { value: 'pending', label: 'In progress' },
  { value: 'sent', label: 'Sent' },
  { value: 'failed', label: 'Failed' },
  { value: 'cancelled', label: 'Cancelled' },
] as const;

const orders = [
  { value: '-sentAt', label: 'Newest first' },
  { value: 'sentAt', label: 'Oldest first' },
  { value: '-recipients', label: 'Most recipients' },
  { value: 'recipients', label: 'Fewest recipients' },
  { value: 'subject', label: 'Subject A to Z' },
] as const;

const DAY_PATTERN = /^(19|20)\d\d-\d\d-\d\d$/;

/** Every send. The server searches, filters and sorts; the URL holds all choices. */
export function HistoryScreen() {
  const grid = useServerGrid({
    filters: {
      type: types.map(({ value }) => value),
      status: statuses.map(({ value }) => value),
      sort: orders.map(({ value }) => value),
    },
    values: { from: DAY_PATTERN, to: DAY_PATTERN },
  });
  const { type, status, sort } = grid.filters;
  const { from = '', to = '' } = grid.values;
  const query = client.useListHistoryQuery({
    ...grid.args,
    sort: sort === '-sentAt' ? undefined : sort,
    outcome: 'true',
    ...(type && { type }),
    ...(status && { status }),
    ...(from && { from }),
    ...(to && { to }),
  });
  const isFiltered = Boolean(grid.search || type || status || from || to);
  return (
    <Page>
      <PageHeader
        {...screenHeaders.history}
        action={<SendLink />}
        freshness={<DataAge query={query} name="history" />}
      />
      <HistoryTabs />
      <Box
        sx={{
          display: 'grid',
          gap: 1.25,
          gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', md: 'minmax(0, 2fr) repeat(3, minmax(0, 1fr))' },
          mb: 2.5,
          alignItems: 'end',
        }}
      >
        <Box sx={{ gridColumn: { xs: '1 / -1', md: 'auto' } }}>
          <SearchField label="Search by subject..." value={grid.search} onSearch={grid.setSearch} />
        </Box>
        <GridFilter grid={grid} name="type" label="Type" choices={types} />
        <GridFilter grid={grid} name="status" label="Status" choices={statuses} />
        <GridFilter grid={grid} name="sort" label="Order" choices={orders} />
        <DayRange from={from} to={to} onChange={grid.setValue} />
        {isFiltered && (
          <Button
            component={RouterLink}
            to={routes.history.path}
            size="small"
            color="inherit"
            sx={{ justifySelf: 'start', mb: { md: 0.5 } }}
          >
            Clear filters
          </Button>
        )}
      </Box>
      <RefreshFailed query={query} />
      <PagedItems
        label="history"
        grid={grid}
        query={query}
        failedText={messages.loadFailed}
        skeletons={<RowSkeletons height={84} />}
      >
        {({ rows }) => <Items items={rows} filtered={isFiltered} />}
      </PagedItems>
    </Page>
  );
}

function Items({ items, filtered }: { items: HistoryItem[]; filtered: boolean }) {
  if (items.length === 0 && filtered) return <EmptyState icon={IconSearch} title={messages.noMatch} />;
  if (items.length === 0) return <EmptyState icon={IconHistory} title={messages.empty} action={<SendLink />} />;
  return (
    <Stack component="section" aria-label="Sends" sx={{ gap: 1.25 }}>
      {items.map((item) => (
        <HistoryCard key={item.id} item={item} />
      ))}
    </Stack>
  );
}

interface DayRangeProps {
  /** A day such as 2025-01-05; '' if the range has no start. */
  from: string;
  to: string;
  onChange: (which: 'from' | 'to', day: string) => void;
}

/** A range of days; either end may be open. */
function DayRange({ from, to, onChange }: DayRangeProps) {
  return (
    <Box
      role="group"
      aria-label="Days"
      sx={{
        display: 'grid',
        gap: 1.25,
        gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
        gridColumn: { xs: '1 / -1', md: 'auto' },
      }}
    >
      <Day label="From" value={from} max={to} onChange={(day) => onChange('from', day)} />
      <Day label="To" value={to} min={from} onChange={(day) => onChange('to', day)} />
    </Box>
  );
}

function Day({
  label,
  value,
  min,
  max,
  onChange,
}: {
  label: string;
  value: string;
  min?: string;
  max?: string;
  onChange: (day: string) => void;
}) {
  return (
    <TextField
      type="date"
      label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ inputLabel: { shrink: true }, htmlInput: { min: min || '2020-01-01', max: max || '2099-12-31' } }}
    />
  );
}
