import { client } from '../api/client';
import { formatTotal } from '../lib/format';
import { routes } from '../lib/routes';
import { RouteTabs } from '../ui/page/route-tabs';

/** Leads to what was sent and what is scheduled, with the number that waits or needs attention. */
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
