import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

/** A picture with its title and what it says in words. */
export function ChartCard({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <Paper variant="outlined" component="section" aria-label={title} sx={{ p: { xs: 1.75, md: 2.25 }, pb: { xs: 1, md: 1.25 }, minWidth: 0, overflow: 'hidden' }}>
      <Typography variant="h2" sx={{ fontSize: '1rem' }}>
        {title}
      </Typography>
      {text && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.25, mb: 1.5 }}>
          {text}
        </Typography>
      )}
      {children}
    </Paper>
  );
}
