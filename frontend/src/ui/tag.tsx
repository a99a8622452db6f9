import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import type { Icon } from './icons';

/** A quiet label: a count, a type, a plan. */
export function Tag({ children, icon: Mark, accent }: { children: ReactNode; icon?: Icon; accent?: boolean }) {
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex', alignItems: 'center', gap: 0.625, height: 24, px: 1, borderRadius: 1.5, whiteSpace: 'nowrap',
        fontSize: '0.75rem', fontWeight: 560, fontVariantNumeric: 'tabular-nums',
        bgcolor: accent ? 'accentSoft' : 'surface.raised', color: accent ? 'primary.main' : 'text.secondary',
      }}
    >
      {Mark && <Mark size={13} aria-hidden />}
      {children}
    </Box>
  );
}
