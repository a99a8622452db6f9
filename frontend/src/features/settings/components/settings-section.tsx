import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';

/** One subject of the settings: what it is on the left, what can be done on the right. */
export function SettingsSection({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  const id = useId();
  return (
    <Box
      component="section"
      aria-labelledby={id}
      sx={{ display: 'grid', gap: { xs: 1.25, lg: 4 }, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: '230px minmax(0, 1fr)' }, py: { xs: 2, lg: 3 }, borderTop: 1, borderColor: 'surface.line' }}
    >
      <Box>
        <Typography id={id} variant="h2" sx={{ fontSize: '1rem' }}>
          {title}
        </Typography>
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.25, maxWidth: '40ch' }}>
          {text}
        </Typography>
      </Box>
      <Paper variant="outlined" sx={{ p: { xs: 2, sm: 2.5 }, minWidth: 0, display: 'grid', gap: 2.5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        {children}
      </Paper>
    </Box>
  );
}
