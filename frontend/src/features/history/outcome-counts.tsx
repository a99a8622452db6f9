import Box from '@mui/material/Box';
import { formatCount } from '../../lib/format';
import { lookOf, type StatusName } from '../../ui/status-badge';
import type { DeliveryCounts } from './api';

const order: (keyof DeliveryCounts & StatusName)[] = [
  'sent',
  'queued',
  'unconfirmed',
  'failed',
  'skipped',
  'bounced',
  'complained',
  'unsubscribed',
];

/** The number of recipients per result. Zeros are left out, except for Sent. */
export function OutcomeCounts({ counts }: { counts: DeliveryCounts }) {
  const shown = order.filter((name) => name === 'sent' || counts[name] > 0);
  return (
    <Box
      component="dl"
      aria-label="Outcome"
      sx={{ m: 0, display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(128px, 1fr))', overflow: 'hidden' }}
    >
      {shown.map((name) => (
        <Count key={name} name={name} count={counts[name]} />
      ))}
    </Box>
  );
}

function Count({ name, count }: { name: StatusName; count: number }) {
  const look = lookOf(name);
  const Mark = look.icon;
  return (
    <Box
      sx={{
        px: 2,
        py: 1.5,
        display: 'flex',
        flexDirection: 'column-reverse',
        gap: 0.25,
        borderRight: 1,
        borderBottom: 1,
        borderColor: 'divider',
        mr: '-1px',
        mb: '-1px',
      }}
    >
      <Box
        component="dt"
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 0.75,
          fontSize: '0.8125rem',
          color: `tone.${look.tone}.main`,
          '& svg': { flexShrink: 0 },
        }}
      >
        <Mark size={14} aria-hidden />
        {look.word}
      </Box>
      <Box component="dd" sx={{ m: 0, typography: 'figure' }}>
        {formatCount(count)}
      </Box>
    </Box>
  );
}
