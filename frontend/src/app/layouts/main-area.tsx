import Box from '@mui/material/Box';
import type { SxProps, Theme } from '@mui/material/styles';
import type { ReactNode } from 'react';

export const MAIN_ID = 'main';

/** The landmark every screen stands in; takes focus after navigation. */
export function MainArea({ children, sx }: { children: ReactNode; sx?: SxProps<Theme> }) {
  return (
    <Box component="main" id={MAIN_ID} tabIndex={-1} sx={sx}>
      {children}
    </Box>
  );
}
