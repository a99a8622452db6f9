import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import { client } from '../../api/client';
import { GridFilter } from '../../ui/grid/filter-bar';
import { PagedItems } from '../../ui/grid/paged-items';
import { useServerGrid } from '../../ui/grid/use-server-grid';
import { IconBell } from '../../ui/icons';
import { EmptyState } from '../../ui/loading/empty-state';
import { DataAge, RefreshFailed } from '../../ui/loading/data-age';
import { RowSkeletons } from '../../ui/loading/skeletons';
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
      <PagedItems
        label="notifications"
        grid={grid}
        query={query}
        failedText={messages.loadFailed}
        skeletons={<RowSkeletons height={64} />}
      >
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState icon={IconBell} title={messages.empty} />
          ) : (
            <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
              <NotificationLines items={rows} />
            </Paper>
          )
        }
      </PagedItems>
    </Page>
  );
}
