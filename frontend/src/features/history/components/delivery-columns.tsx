import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { formatDateTime } from '../../../lib/format';
import type { ServerColumn } from '../../../ui/grid/server-data-grid';
import { StatusBadge } from '../../../ui/status-badge';
import type { Delivery } from '../api';

/** A delivery with its place on the page. */
export type DeliveryRow = Delivery & { id: number };

/** Recipient, status, time and detail; under 768 px the first holds the rest. */
export const deliveryColumns = (narrow: boolean): ServerColumn<DeliveryRow>[] => [
  { field: 'recipientEmail', headerName: 'Recipient', flex: 1.1, minWidth: 160, renderCell: ({ row }) => <Recipient delivery={row} narrow={narrow} /> },
  { field: 'status', headerName: 'Status', width: 140, sortable: false, wide: true, renderCell: ({ row }) => <StatusBadge status={row.status} /> },
  { field: 'sentAt', headerName: 'Time', width: 190, wide: true, sortable: false, renderCell: ({ row }) => (row.sentAt ? formatDateTime(row.sentAt) : '') },
  { field: 'detail', headerName: 'Detail', flex: 1, minWidth: 140, sortable: false, wide: true, renderCell: ({ row }) => <Detail text={row.detail} /> },
];

function Recipient({ delivery, narrow }: { delivery: Delivery; narrow: boolean }) {
  return (
    <Box sx={{ minWidth: 0, width: '100%' }}>
      <Typography variant="mono" noWrap title={delivery.recipientEmail} sx={{ display: 'block' }}>
        {delivery.recipientEmail}
      </Typography>
      {narrow && (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, mt: 0.5, minWidth: 0 }}>
          <StatusBadge status={delivery.status} />
          <Detail text={delivery.detail} />
        </Box>
      )}
    </Box>
  );
}

function Detail({ text }: { text: string | null }) {
  return (
    <Typography component="span" variant="body2" color="textSecondary" noWrap title={text ?? undefined} sx={{ minWidth: 0 }}>
      {text}
    </Typography>
  );
}
