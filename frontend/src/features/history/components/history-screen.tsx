import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { Link as RouterLink } from 'react-router-dom';
import { routes } from '../../../lib/routes';
import { EmptyState } from '../../../ui/empty-state';
import { Freshness, RefreshFailed, shownData } from '../../../ui/freshness';
import { ChoiceField } from '../../../ui/form/choice-field';
import { Pager } from '../../../ui/grid/pager';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconHistory, IconSearch, IconSend } from '../../../ui/icons';
import { Page } from '../../../ui/page';
import { PageHeader } from '../../../ui/page-header';
import { SearchField } from '../../../ui/search-field';
import { SectionError } from '../../../ui/section-error';
import { RowSkeletons, Waiting } from '../../../ui/skeletons';
import { useHistory, type HistoryItem } from '../api';
import { messages } from '../messages';
import { HistoryCard } from './history-card';

const types = [
  { value: '', label: 'All Types' },
  { value: 'job-post', label: 'Job Posts' },
  { value: 'candidate-list', label: 'Candidate Lists' },
] as const;

/** Every send, the newest first. */
export function HistoryScreen() {
  const grid = useServerGrid({ filters: { type: types.map(({ value }) => value) } });
  const { type } = grid.filters;
  const query = useHistory(grid.args, type || undefined);
  const { error, isFetching, refetch } = query;
  const data = shownData(query);
  return (
    <Page>
      <PageHeader title="Send History" description="What went out, to how many, and what became of it." action={<SendLink />} freshness={<Freshness query={query} what="history" />} />
      <Box sx={{ display: 'grid', gap: 1.25, gridTemplateColumns: { xs: '1fr', md: 'minmax(0, 420px) 190px' }, mb: 2.5 }}>
        <SearchField label="Search by subject..." value={grid.search} onSearch={grid.setSearch} />
        <ChoiceField label="Type" hideLabel value={type} choices={types} onChange={(value) => grid.setFilter('type', value)} />
      </Box>
      <RefreshFailed query={query} />
      {error && !data && <SectionError message={messages.loadFailed} pending={isFetching} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Waiting label="Loading history">
          <RowSkeletons height={84} />
        </Waiting>
      )}
      {data && <Items items={data.rows} filtered={Boolean(grid.search || type)} />}
      {data && <Pager label="history" grid={grid} count={data.rows.length} total={data.total} isTotalCapped={data.isTotalCapped} next={data.next} prev={data.prev} loading={isFetching && !query.currentData} fixedSize />}
    </Page>
  );
}

function SendLink() {
  return (
    <Button component={RouterLink} to={routes.send.path} variant="contained" startIcon={<IconSend size={16} aria-hidden />}>
      Send Email
    </Button>
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
