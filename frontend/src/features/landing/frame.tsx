import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { PRODUCT_NAME } from '../../lib/product';
import { routes } from '../../lib/routes';
import { Brand } from '../../ui/page/brand';
import { ThemeSwitch } from '../../ui/page/theme-switch';

/** The brand, the theme switch, and the links to sign in and register. */
export function LandingHeader() {
  return (
    <Stack
      component="header"
      direction="row"
      sx={{ ...CONTENT_WIDTH, alignItems: 'center', gap: { xs: 0.5, sm: 1 }, py: 1.75 }}
    >
      <Link href={routes.home.path} color="inherit" underline="none">
        <Brand />
      </Link>
      <Box sx={{ flex: 1 }} />
      <ThemeSwitch />
      <Button href={routes.login.path} color="inherit">
        Sign In
      </Button>
      <Button href={routes.register.path} variant="contained">
        Get Started
      </Button>
    </Stack>
  );
}

/** The footer with links. */
export function LandingFooter() {
  return (
    <Box component="footer" sx={{ borderTop: 1, borderColor: 'divider', mt: { xs: 7, md: 11 }, py: 3.5 }}>
      <Box sx={{ ...CONTENT_WIDTH, display: 'flex', gap: 2, justifyContent: 'space-between', flexWrap: 'wrap' }}>
        <Typography variant="body2" color="textSecondary">
          {PRODUCT_NAME}. Email distribution for IT-staffing professionals.
        </Typography>
        <Stack component="nav" aria-label="Footer" direction="row" sx={{ gap: 2.5, typography: 'body2' }}>
          <Link href="#subscribe" color="textSecondary">
            Subscribe
          </Link>
          <Link href={routes.login.path} color="textSecondary">
            Log in
          </Link>
          <Link href={routes.register.path} color="textSecondary">
            Create an account
          </Link>
        </Stack>
      </Box>
    </Box>
  );
}

/** The width of the page's column. */
export const CONTENT_WIDTH = { width: '100%', maxWidth: 1224, mx: 'auto', px: { xs: 2, md: 4 } } as const;
