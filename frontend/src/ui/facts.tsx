import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

export type Fact = readonly [name: string, value: ReactNode];

/** Names and values in two columns. `stacked` puts each value under its name on a phone. */
export function Facts({ facts, stacked }: { facts: readonly Fact[]; stacked?: boolean }) {
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: 'grid',
        gridTemplateColumns: stacked
          ? { xs: 'minmax(0, 1fr)', sm: '9rem minmax(0, 1fr)' }
          : 'minmax(110px, auto) minmax(0, 1fr)',
        columnGap: 2,
        rowGap: stacked ? { xs: 0.25, sm: 1.25 } : 0.75,
        fontSize: '0.875rem',
      }}
    >
      {facts.map(([name, value]) => (
        <Box key={name} sx={{ display: 'contents' }}>
          <Box component="dt" sx={{ color: 'text.secondary' }}>
            {name}
          </Box>
          <Box
            component="dd"
            sx={{
              m: 0,
              mb: stacked ? { xs: 1.25, sm: 0 } : undefined,
              overflowWrap: 'anywhere',
              fontVariantNumeric: 'tabular-nums',
            }}
          >
            {value}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
