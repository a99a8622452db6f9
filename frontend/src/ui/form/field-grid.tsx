import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** Fields beside each other in pairs; under each other on a phone. */
export function FieldGrid({ children }: { children: ReactNode }) {
  return <Box sx={{ display: 'grid', columnGap: 2, rowGap: 1, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' }, alignItems: 'start' }}>{children}</Box>;
}
