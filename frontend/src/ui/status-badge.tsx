import Box from '@mui/material/Box';
import { lookOf, type StatusName } from './tones';

/** A status as icon, word and colour. */
export function StatusBadge({ status, word }: { status: StatusName; word?: string }) {
  const look = lookOf(status);
  const Mark = look.icon;
  return (
    <Box
      component="span"
      data-status={status}
      sx={{
        display: 'inline-flex', alignItems: 'center', gap: 0.625, height: 24, px: 1, borderRadius: 1.5, whiteSpace: 'nowrap',
        fontSize: '0.75rem', fontWeight: 580, bgcolor: `tone.${look.tone}.soft`, color: `tone.${look.tone}.main`,
      }}
    >
      <Mark size={13} strokeWidth={2.4} aria-hidden />
      {word ?? look.word}
    </Box>
  );
}
