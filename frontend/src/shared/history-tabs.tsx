import { client } from '../api/client';
import { formatTotal } from '../lib/format';
import { routes } from '../lib/routes';
import { RouteTabs } from '../ui/page/route-tabs';

/** Tabs for sent and for scheduled emails, with the number of scheduled emails that wait or need attention. */
export function HistoryTabs() {
  const { data } = client.useListScheduledQuery({ state: 'open', limit: 1 });
  return (
    <RouteTabs
      label="Sends"
      tabs={[
        { path: routes.history.path, label: 'Sent' },
        {
          path: routes.scheduled.path,
          label: 'Scheduled',
          count: data && data.total > 0 ? formatTotal(data) : undefined,
        },
      ]}
    />
  );
}
