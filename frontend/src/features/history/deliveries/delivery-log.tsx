import { useMemo, useState } from 'react';
import { client } from '../../../api/client';
import { GridFilter } from '../../../ui/grid/filter-bar';
import { ServerDataGrid } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconSearch } from '../../../ui/icons';
import { EmptyState } from '../../../ui/loading/empty-state';
import { useNarrow } from '../../../ui/page/page';
import { statusLooks } from '../../../ui/status-badge';
import { deliveriesCsvUrl, messages, type Delivery, type DeliveryFilter } from '../api';
import { deliveryColumns } from './delivery-columns';
import { DeliveryDialog } from './delivery-dialog';
import { LogToolbar } from './log-toolbar';

const statuses: DeliveryFilter[] = [
  'queued',
  'sending',
  'deferred',
  'sent',
  'unconfirmed',
  'failed',
  'skipped',
  'bounced',
  'complained',
  'unsubscribed',
];
const choices = [
  { value: '' as const, label: 'All statuses' },
  ...statuses.map((value) => ({ value, label: statusLooks[value].word })),
];

/** The result of each delivery, recipient by recipient. */
export function DeliveryLog({ entryId, isPending }: { entryId: string; isPending: boolean }) {
  const [shown, setShown] = useState<Delivery | null>(null);
  const grid = useServerGrid({ pageSize: 50, filters: { status: ['', ...statuses] } });
  const { status } = grid.filters;
  const query = client.useListDeliveriesQuery({ id: entryId, ...grid.args, ...(status && { status }) });
  const narrow = useNarrow();
  const columns = useMemo(() => deliveryColumns(narrow, setShown), [narrow]);
  return (
    <>
      <ServerDataGrid<Delivery>
        label="deliveries"
        grid={grid}
        // The log of a running send is refetched often; only the first load shows as loading.
        query={{ ...query, isFetching: query.isFetching && (!isPending || !query.data) }}
        failedText={messages.deliveriesFailed}
        columns={columns}
        toolbar={
          <LogToolbar
            grid={grid}
            widths="minmax(0, 360px) 180px"
            csvUrl={deliveriesCsvUrl(entryId, { status, search: grid.search })}
          >
            <GridFilter grid={grid} name="status" label="Delivery status" choices={choices} />
          </LogToolbar>
        }
        empty={
          <EmptyState
            dense
            icon={IconSearch}
            title={grid.search || status ? 'No deliveries found matching your search' : 'Preparing recipients…'}
          />
        }
      />
      <DeliveryDialog sendId={entryId} delivery={shown} onClose={() => setShown(null)} />
    </>
  );
}
