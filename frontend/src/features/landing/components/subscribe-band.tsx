import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

/** For visitors who only want to receive: what they get, and the form. */
export function SubscribeBand({ children }: { children: ReactNode }) {
  return (
    <Paper
      component="section"
      variant="outlined"
      id="subscribe"
      aria-labelledby="subscribe-title"
      sx={{ borderRadius: 4, p: { xs: 2.5, md: 5 }, display: 'grid', gap: { xs: 3, lg: 7 }, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: '1fr 1.2fr' }, alignItems: 'center', scrollMarginTop: 16 }}
    >
      <Box>
        <Typography id="subscribe-title" component="h2" variant="h5" sx={{ textWrap: 'balance' }}>
          Not sending? Receive.
        </Typography>
        <Typography color="textSecondary" sx={{ mt: 1.5, fontSize: '1rem', maxWidth: '46ch' }}>
          Join the shared network and get job posts or lists of available candidates, without an account. You confirm by email first, a daily limit keeps your
          inbox calm, and one click takes you off for good. Senders never see your full address unless you reply.
        </Typography>
      </Box>
      {children}
    </Paper>
  );
}
