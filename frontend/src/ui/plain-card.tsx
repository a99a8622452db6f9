import Paper from '@mui/material/Paper';
import type { ReactNode } from 'react';

/** The panel of a signed-out screen that says something. */
export function PlainCard({ children }: { children: ReactNode }) {
  return (
    <Paper variant="outlined" sx={{ p: { xs: 2.5, sm: 4 }, borderRadius: 4 }}>
      {children}
    </Paper>
  );
}
