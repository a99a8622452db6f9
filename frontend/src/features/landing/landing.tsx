import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { PRODUCT_NAME, useDocumentTitle } from '../../lib/product';
import { routes } from '../../lib/routes';
import { Benefits } from './benefits';
import { LandingFooter, LandingHeader, CONTENT_WIDTH } from './frame';
import { FeatureGrid, Problems } from './problems-and-features';
import { SampleSend } from './sample-send';

/** The landing page. It uses no router, store or client, to stay small; its links are plain ones. */
export function Landing({ subscribe }: { subscribe: ReactNode }) {
  useDocumentTitle('Mail for IT staffing');
  return (
    <Stack sx={{ minHeight: '100dvh', overflowX: 'clip' }}>
      <LandingHeader />
      <Box
        component="main"
        id="main"
        tabIndex={-1}
        sx={{
          ...CONTENT_WIDTH,
          flex: 1,
          display: 'grid',
          gap: { xs: 7, md: 11 },
          gridTemplateColumns: 'minmax(0, 1fr)',
        }}
      >
        <Hero />
        <SubscribeBand>{subscribe}</SubscribeBand>
        <Problems />
        <FeatureGrid />
        <Benefits />
        <Closing />
      </Box>
      <LandingFooter />
    </Stack>
  );
}

function Hero() {
  return (
    <Box
      sx={{
        display: 'grid',
        gap: { xs: 5, lg: 8 },
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: '1.05fr 1fr' },
        alignItems: 'center',
        pt: { xs: 5, md: 9 },
      }}
    >
      <Box>
        <Typography component="h1" variant="h6" sx={{ fontSize: { xs: '2.125rem', md: '3rem' }, textWrap: 'balance' }}>
          One post, every right inbox.
        </Typography>
        <Typography color="textSecondary" sx={{ mt: 2.5, fontSize: '1.0625rem', maxWidth: '52ch' }}>
          Recruiters mail job posts. Bench sales mail candidate lists. {PRODUCT_NAME} keeps the lists, mails only people
          who confirmed, and shows what became of every single message.
        </Typography>
        <Stack direction="row" sx={{ gap: 1.5, mt: 4, flexWrap: 'wrap' }}>
          <Button href={routes.register.path} variant="contained" size="large">
            Create a free account
          </Button>
          <Button href="#subscribe" variant="outlined" color="inherit" size="large">
            Just receive mail
          </Button>
        </Stack>
        <Typography variant="body2" color="textSecondary" sx={{ mt: 2 }}>
          Free tier. No credit card. Upgrade anytime.
        </Typography>
      </Box>
      <SampleSend />
    </Box>
  );
}

function Closing() {
  return (
    <Box
      component="section"
      aria-labelledby="closing"
      sx={{
        bgcolor: 'accentSoft',
        borderRadius: 4,
        px: { xs: 3, md: 6 },
        py: { xs: 4, md: 6 },
        display: 'flex',
        gap: 3,
        alignItems: 'center',
        justifyContent: 'space-between',
        flexWrap: 'wrap',
      }}
    >
      <Box sx={{ flex: '1 1 20rem' }}>
        <Typography id="closing" component="h2" variant="h5" sx={{ textWrap: 'balance' }}>
          Your first send can go out today.
        </Typography>
        <Typography color="textSecondary" sx={{ mt: 1, fontSize: '1rem' }}>
          Make a list, add the people you deal with, and write once they confirm.
        </Typography>
      </Box>
      <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
        <Button href={routes.register.path} variant="contained" size="large">
          Create a free account
        </Button>
        <Button href={routes.dashboard.path} color="inherit" size="large">
          I have an account
        </Button>
      </Stack>
    </Box>
  );
}

/** The subscription for visitors who only want to receive mail. */
function SubscribeBand({ children }: { children: ReactNode }) {
  return (
    <Paper
      component="section"
      variant="outlined"
      id="subscribe"
      aria-labelledby="subscribe-title"
      sx={{
        borderRadius: 4,
        p: { xs: 2.5, md: 5 },
        display: 'grid',
        gap: { xs: 3, lg: 7 },
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: '1fr 1.2fr' },
        alignItems: 'center',
        scrollMarginTop: 16,
      }}
    >
      <Box>
        <Typography id="subscribe-title" component="h2" variant="h5" sx={{ textWrap: 'balance' }}>
          Not sending? Receive.
        </Typography>
        <Typography color="textSecondary" sx={{ mt: 1.5, fontSize: '1rem', maxWidth: '46ch' }}>
          Join the shared network and get job posts or lists of available candidates, without an account. You confirm by
          email first, a daily limit keeps your inbox calm, and one click takes you off for good. Senders never see your
          full address unless you reply.
        </Typography>
      </Box>
      {children}
    </Paper>
  );
}
