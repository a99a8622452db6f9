import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { PRODUCT_NAME } from '../../../lib/product';
import { routes } from '../../../lib/routes';
import { useDocumentTitle } from '../../../lib/use-document-title';
import { Brand } from '../../../ui/brand';
import { ThemeToggle } from '../../../ui/theme-toggle';
import { FeatureList } from './feature-list';
import { SampleSend } from './sample-send';

/** The page of a visitor who is not signed in. */
export function Landing() {
  useDocumentTitle(`${PRODUCT_NAME}: mail for IT staffing`);
  return (
    <Stack sx={{ minHeight: '100dvh' }}>
      <LandingHeader />
      <Box component="main" id="main" tabIndex={-1} sx={{ flex: 1, width: '100%', maxWidth: 1224, mx: 'auto', px: { xs: 2, md: 4 } }}>
        <Box sx={{ display: 'grid', gap: { xs: 5, lg: 8 }, gridTemplateColumns: { xs: '1fr', lg: '1.05fr 1fr' }, alignItems: 'center', py: { xs: 6, md: 10 } }}>
          <Box>
            <Typography component="h1" variant="h6" sx={{ fontSize: { xs: '2.125rem', md: '3rem' }, textWrap: 'balance' }}>
              One post, every right inbox.
            </Typography>
            <Typography color="textSecondary" sx={{ mt: 2.5, fontSize: '1.0625rem', maxWidth: '52ch' }}>
              Recruiters mail job posts. Bench sales mail candidate lists. {PRODUCT_NAME} keeps the lists, mails only people who confirmed, and shows what
              became of every single message.
            </Typography>
            <Stack direction="row" sx={{ gap: 1.5, mt: 4, flexWrap: 'wrap' }}>
              <Button component={RouterLink} to={routes.register.path} variant="contained" size="large">
                Create a free account
              </Button>
              <Button component={RouterLink} to={routes.login.path} variant="outlined" color="inherit" size="large">
                I have an account
              </Button>
            </Stack>
            <Typography variant="body2" color="textSecondary" sx={{ mt: 2 }}>
              Free tier. No credit card. Upgrade anytime.
            </Typography>
          </Box>
          <SampleSend />
        </Box>
        <FeatureList />
      </Box>
      <Box component="footer" sx={{ borderTop: 1, borderColor: 'surface.line', mt: 8, py: 3 }}>
        <Typography variant="body2" color="textSecondary" sx={{ maxWidth: 1224, mx: 'auto', px: { xs: 2, md: 4 } }}>
          {PRODUCT_NAME}. Email distribution for IT-staffing professionals.
        </Typography>
      </Box>
    </Stack>
  );
}

function LandingHeader() {
  return (
    <Stack component="header" direction="row" sx={{ alignItems: 'center', gap: 1, px: { xs: 2, md: 4 }, py: 1.75, width: '100%', maxWidth: 1224, mx: 'auto' }}>
      <Link component={RouterLink} to={routes.home.path} color="inherit" underline="none">
        <Brand />
      </Link>
      <Box sx={{ flex: 1 }} />
      <ThemeToggle />
      <Button component={RouterLink} to={routes.login.path} color="inherit">
        Sign In
      </Button>
      <Button component={RouterLink} to={routes.register.path} variant="contained" sx={{ display: { xs: 'none', sm: 'inline-flex' } }}>
        Get Started
      </Button>
    </Stack>
  );
}
