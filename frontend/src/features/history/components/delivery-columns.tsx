import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { formatDateTime } from '../../../lib/format';
import type { ServerColumn } from '../../../ui/grid/server-data-grid';
import { StatusBadge } from '../../../ui/status-badge';
import { Tag } from '../../../ui/tag';
import type { Delivery } from '../api';

/** A delivery with its place on the page. */
export type DeliveryRow = Delivery & { id: number };
type Open = (delivery: Delivery) => void;

/** Recipient, status, time and reason; under 768 px the first holds the rest. Pressing an address opens all there is to know. */
export const deliveryColumns = (narrow: boolean, open: Open): ServerColumn<DeliveryRow>[] => [
  { field: 'recipientEmail', headerName: 'Recipient', flex: 1.3, minWidth: 170, sortable: false, renderCell: ({ row, tabIndex }) => <Recipient delivery={row} narrow={narrow} tabIndex={tabIndex} open={open} /> },
  { field: 'status', headerName: 'Status', width: 140, sortable: false, wide: true, renderCell: ({ row }) => <DeliveryBadge delivery={row} /> },
  { field: 'sentAt', headerName: 'Time', width: 230, wide: true, sortable: false, renderCell: ({ row }) => (row.sentAt ? formatDateTime(row.sentAt) : '') },
  { field: 'detail', headerName: 'Reason', flex: 1, minWidth: 180, sortable: false, wide: true, renderCell: ({ row }) => <Reason delivery={row} /> },
];

/** Who left because of the message is shown as such: that it arrived before goes without saying. */
export function DeliveryBadge({ delivery }: { delivery: Delivery }) {
  return <StatusBadge status={delivery.unsubscribedAt && delivery.status === 'sent' ? 'unsubscribed' : delivery.status} />;
}

/** The address is a tab stop only in the cell the grid has as its own, or a page would have fifty. */
function Recipient({ delivery, narrow, tabIndex, open }: { delivery: Delivery; narrow: boolean; tabIndex: 0 | -1; open: Open }) {
  return (
    <Box sx={{ minWidth: 0, width: '100%', lineHeight: 1.3 }}>
      <ButtonBase
        onClick={() => open(delivery)}
        tabIndex={tabIndex}
        aria-haspopup="dialog"
        sx={{ display: 'flex', maxWidth: '100%', borderRadius: 0.5, font: 'inherit', justifyContent: 'flex-start', '&:hover': { textDecoration: 'underline' }, '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main' } }}
      >
        <Typography component="span" variant="mono" noWrap title={delivery.recipientEmail}>
          {delivery.recipientEmail}
        </Typography>
      </ButtonBase>
      {narrow && (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, mt: 0.5, minWidth: 0 }}>
          <DeliveryBadge delivery={delivery} />
          <Line text={delivery.detail} />
        </Box>
      )}
    </Box>
  );
}

/** In words, and below it what the mail server said. */
function Reason({ delivery }: { delivery: Delivery }) {
  return (
    <Box sx={{ minWidth: 0, width: '100%', display: 'flex', alignItems: 'center', gap: 1 }}>
      <Box sx={{ minWidth: 0, lineHeight: 1.3 }}>
        <Line text={delivery.detail} />
        {delivery.said && (
          <Typography variant="mono" color="textSecondary" noWrap title={delivery.said} sx={{ display: 'block', fontSize: '0.75rem' }}>
            {delivery.said}
          </Typography>
        )}
      </Box>
      {delivery.possibleDuplicate && <Tag>Possibly twice</Tag>}
    </Box>
  );
}

function Line({ text }: { text: string | null }) {
  return (
    <Typography component="span" variant="body2" color="textSecondary" noWrap title={text ?? undefined} sx={{ display: 'block', minWidth: 0 }}>
      {text}
    </Typography>
  );
}
