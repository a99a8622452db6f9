import Box from '@mui/material/Box';
import { StatusBadge } from '../../../ui/status-badge';
import type { HistoryItem } from '../api';

/** How a send stands: paused says more than pending, and of a cancelled one both what went out and that it was cut short. */
export function SendStatus({ item }: { item: Pick<HistoryItem, 'status' | 'stopped'> }) {
  if (item.stopped === 'paused') return <StatusBadge status="paused" />;
  if (item.stopped !== 'cancelled') return <StatusBadge status={item.status} />;
  return (
    <Box component="span" sx={{ display: 'inline-flex', gap: 0.75 }}>
      {item.status === 'sent' && <StatusBadge status="sent" />}
      <StatusBadge status="cancelled" />
    </Box>
  );
}
