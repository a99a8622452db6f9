import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import { client } from '../../api/client';
import { GridFilter } from '../../ui/grid/filter-bar';
import { Pager } from '../../ui/grid/pager';
import { useServerGrid } from '../../ui/grid/use-server-grid';
import { IconBell } from '../../ui/icons';
import { EmptyState } from '../../ui/loading/empty-state';
import { DataAge, RefreshFailed, shownData } from '../../ui/loading/data-age';
import { SectionError } from '../../ui/loading/section-error';
import { LoadingRegion, RowSkeletons } from '../../ui/loading/skeletons';
import { Page, PageHeader } from '../../ui/page/page';
import { messages } from './api';
import { NotificationLines } from './notification-lines';
import { ReadAllButton } from './read-all-button';

const shown = [
  { value: '', label: 'All' },
  { value: 'unread', label: 'Unread' },
] as const;

/** All notifications of the last 90 days, newest first. */
export function NotificationsScreen() {
  const grid = useServerGrid({ filters: { show: shown.map(({ value }) => value) } });
  const { limit, cursor } = grid.args;
  const query = client.useListNotificationsQuery({
    limit,
    ...(cursor && { cursor }),
    ...(grid.filters.show === 'unread' && { unread: 'true' as const }),
  });
  const { error, isFetching, refetch } = query;
  const data = shownData(query);
  return (
    <Page width="narrow">
      <PageHeader
        title="Notifications"
        description="What happened within the last 90 days."
        action={<ReadAllButton />}
        freshness={<DataAge query={query} name="notifications" />}
      />
      <Box sx={{ maxWidth: 220, mb: 2 }}>
        <GridFilter grid={grid} name="show" label="Show" choices={shown} />
      </Box>
      <RefreshFailed query={query} />
      {error && !data && (
        <SectionError message={messages.loadFailed} pending={isFetching} onRetry={() => void refetch()} />
      )}
      {!data && !error && (
        <LoadingRegion label="Loading notifications">
          <RowSkeletons height={64} />
        </LoadingRegion>
      )}
      {data?.rows.length === 0 && <EmptyState icon={IconBell} title={messages.empty} />}
      {data && data.rows.length > 0 && (
        <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
          <NotificationLines items={data.rows} />
        </Paper>
      )}
      {data && (
        <Pager label="notifications" grid={grid} page={data} loading={isFetching && !query.currentData} fixedSize />
      )}
    </Page>
  );
}
