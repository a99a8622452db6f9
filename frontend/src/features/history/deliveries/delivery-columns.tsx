import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { formatDateTime } from '../../../lib/format';
import type { ServerColumn } from '../../../ui/grid/server-data-grid';
import { StatusBadge } from '../../../ui/status-badge';
import { Tag } from '../../../ui/tag';
import type { Delivery } from '../api';

/** Opens the details of a delivery. */
type Open = (delivery: Delivery) => void;

/**
 * Recipient, status, time and reason; under 768 px the first column shows all of them. Pressing an address opens the
 * delivery's details.
 */
export const deliveryColumns = (narrow: boolean, open: Open): ServerColumn<Delivery>[] => [
  {
    field: 'recipientEmail',
    headerName: 'Recipient',
    flex: 1.3,
    minWidth: 170,
    sortable: false,
    renderCell: ({ row, tabIndex }) => <Recipient delivery={row} narrow={narrow} tabIndex={tabIndex} open={open} />,
  },
  {
    field: 'status',
    headerName: 'Status',
    width: 140,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => <DeliveryBadge delivery={row} />,
  },
  {
    field: 'sentAt',
    headerName: 'Time',
    width: 230,
    hideOnMobile: true,
    sortable: false,
    renderCell: ({ row }) => (row.sentAt ? formatDateTime(row.sentAt) : ''),
  },
  {
    field: 'detail',
    headerName: 'Reason',
    flex: 1,
    minWidth: 180,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => <Reason delivery={row} />,
  },
];

/** The status of a delivery. A recipient who unsubscribed by a delivered message shows as unsubscribed. */
export function DeliveryBadge({ delivery }: { delivery: Delivery }) {
  return (
    <StatusBadge status={delivery.unsubscribedAt && delivery.status === 'sent' ? 'unsubscribed' : delivery.status} />
  );
}

/** @param tabIndex from the grid's roving tabindex: 0 only in the focused cell */
function Recipient({
  delivery,
  narrow,
  tabIndex,
  open,
}: {
  delivery: Delivery;
  narrow: boolean;
  tabIndex: 0 | -1;
  open: Open;
}) {
  return (
    <Box sx={{ minWidth: 0, width: '100%', lineHeight: 1.3 }}>
      <ButtonBase
        onClick={() => open(delivery)}
        tabIndex={tabIndex}
        aria-haspopup="dialog"
        sx={{
          display: 'flex',
          maxWidth: '100%',
          borderRadius: 0.5,
          font: 'inherit',
          justifyContent: 'flex-start',
          '&:hover': { textDecoration: 'underline' },
          '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main' },
        }}
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

/** The reason in words, and below it the mail server's reply. */
function Reason({ delivery }: { delivery: Delivery }) {
  return (
    <Box sx={{ minWidth: 0, width: '100%', display: 'flex', alignItems: 'center', gap: 1 }}>
      <Box sx={{ minWidth: 0, lineHeight: 1.3 }}>
        <Line text={delivery.detail} />
        {delivery.said && (
          <Typography
            variant="mono"
            color="textSecondary"
            noWrap
            title={delivery.said}
            sx={{ display: 'block', fontSize: '0.75rem' }}
          >
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
    <Typography
      component="span"
      variant="body2"
      color="textSecondary"
      noWrap
      title={text ?? undefined}
      sx={{ display: 'block', minWidth: 0 }}
    >
      {text}
    </Typography>
  );
}
