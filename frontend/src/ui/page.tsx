import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** The room of one screen: wide for rows, narrow where there is one decision. */
export function Page({ children, width = 'wide' }: { children: ReactNode; width?: 'wide' | 'narrow' }) {
  return <Box sx={{ maxWidth: width === 'wide' ? 1160 : 820, mx: 'auto', width: '100%' }}>{children}</Box>;
}
