import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { EmptyState } from '../../../ui/empty-state';
import { ChoiceField } from '../../../ui/form/choice-field';
import { ServerDataGrid } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconDownload, IconSearch } from '../../../ui/icons';
import { SearchField } from '../../../ui/search-field';
import { statusLooks } from '../../../ui/tones';
import { useNarrow } from '../../../ui/use-narrow';
import { deliveriesCsvUrl, useDeliveries, type Delivery, type DeliveryFilter } from '../api';
import { messages } from '../messages';
import { DeliveryDialog } from './delivery-dialog';
import { deliveryColumns, type DeliveryRow } from './delivery-columns';

const statuses: DeliveryFilter[] = ['queued', 'sending', 'deferred', 'sent', 'unconfirmed', 'failed', 'skipped', 'bounced', 'complained', 'unsubscribed'];
const choices = [{ value: '' as const, label: 'All statuses' }, ...statuses.map((value) => ({ value, label: statusLooks[value].word }))];

/** What became of the message, address by address. */
export function DeliveryLog({ entryId, isPending }: { entryId: string; isPending: boolean }) {
  const [shown, setShown] = useState<Delivery | null>(null);
  const grid = useServerGrid({ pageSize: 50, filters: { status: ['', ...statuses] } });
  const { status } = grid.filters;
  const query = useDeliveries(entryId, grid.args, status || undefined);
  const narrow = useNarrow();
  const columns = useMemo(() => deliveryColumns(narrow, setShown), [narrow]);
  // Masked addresses may read the same: a row is known by its place on the page.
  const data = useMemo(() => query.data && { ...query.data, rows: query.data.rows.map((row, index) => ({ ...row, id: index })) }, [query.data]);
  return (
    <>
      <ServerDataGrid<DeliveryRow>
        label="deliveries"
        grid={grid}
        // What a running send changes is fetched again and again: that is not shown as waiting.
        query={{ ...query, data, currentData: query.currentData && data, isFetching: query.isFetching && (!isPending || !data) }}
        failedText={messages.deliveriesFailed}
        columns={columns}
        toolbar={
          <Box sx={{ display: 'grid', gap: 1.25, alignItems: 'center', gridTemplateColumns: { xs: '1fr', md: 'minmax(0, 360px) 180px 1fr' } }}>
            <SearchField label="Search by address..." value={grid.search} onSearch={grid.setSearch} />
            <ChoiceField label="Delivery status" hideLabel value={status} choices={choices} onChange={(value) => grid.setFilter('status', value)} />
            <Button
              component="a"
              href={deliveriesCsvUrl(entryId, { status, search: grid.search })}
              download
              variant="outlined"
              color="inherit"
              startIcon={<IconDownload size={16} aria-hidden />}
              sx={{ justifySelf: { md: 'end' } }}
            >
              Download CSV
            </Button>
          </Box>
        }
        empty={<EmptyState dense icon={IconSearch} title={grid.search || status ? 'No deliveries found matching your search' : 'The recipients are still being laid out'} />}
      />
      <DeliveryDialog delivery={shown} onClose={() => setShown(null)} />
    </>
  );
}
