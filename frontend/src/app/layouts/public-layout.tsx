import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Outlet, Link as RouterLink } from 'react-router-dom';
import { routes } from '../../lib/routes';
import { Brand } from '../../ui/brand';
import { ThemeToggle } from '../../ui/theme-toggle';
import { CastPattern } from './cast-pattern';
import { MainArea } from './main-area';

/** Signed-out screens with one thing to do: brand above, the thing in a narrow column, nothing beside it. */
export function PublicLayout({ children }: { children?: ReactNode }) {
  return (
    <Stack sx={{ minHeight: '100dvh', position: 'relative', overflow: 'hidden' }}>
      <CastPattern />
      <Stack component="header" direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between', px: { xs: 2, md: 4 }, py: 1.75, position: 'relative' }}>
        <Link component={RouterLink} to={routes.home.path} color="inherit" underline="none">
          <Brand />
        </Link>
        <ThemeToggle />
      </Stack>
      <MainArea sx={{ flex: 1, display: 'flex', justifyContent: 'center', alignItems: 'flex-start', px: 2, pt: { xs: 3, md: '8vh' }, pb: 6, position: 'relative' }}>
        <Box sx={{ width: '100%', maxWidth: 468 }}>{children ?? <Outlet />}</Box>
      </MainArea>
      <Typography component="footer" variant="caption" color="textSecondary" sx={{ textAlign: 'center', px: 2, py: 2.5, position: 'relative' }}>
        Mail for IT staffing. Every contact confirms; every message can be left.
      </Typography>
    </Stack>
  );
}
