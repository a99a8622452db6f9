import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { AppLink } from '../../lib/navigation';
import { routes } from '../../lib/routes';
import { Brand } from '../../ui/page/brand';
import { ThemeSwitch } from '../../ui/page/theme-switch';
import { MainArea } from './main-area';

/** The layout of public screens: the brand and one narrow column. */
export function PublicLayout({ children }: { children: ReactNode }) {
  return (
    <Stack sx={{ minHeight: '100dvh', position: 'relative', overflow: 'hidden' }}>
      <BackgroundArcs />
      <Stack
        component="header"
        direction="row"
        sx={{
          alignItems: 'center',
          justifyContent: 'space-between',
          px: { xs: 2, md: 4 },
          py: 1.75,
          position: 'relative',
        }}
      >
        <Link component={AppLink} to={routes.home.path} color="inherit" underline="none">
          <Brand />
        </Link>
        <ThemeSwitch />
      </Stack>
      <MainArea
        sx={{
          flex: 1,
          display: 'flex',
          justifyContent: 'center',
          alignItems: 'flex-start',
          px: 2,
          pt: { xs: 3, md: '8vh' },
          pb: 6,
          position: 'relative',
        }}
      >
        <Box sx={{ width: '100%', maxWidth: 468 }}>{children}</Box>
      </MainArea>
      <Typography
        component="footer"
        variant="caption"
        color="textSecondary"
        sx={{ textAlign: 'center', px: 2, py: 2.5, position: 'relative' }}
      >
        Mail for IT staffing. Every contact confirms, and every message has a link to unsubscribe.
      </Typography>
    </Stack>
  );
}

const rings = [120, 220, 330, 450, 580, 720, 870];

/** The brand's arcs in the background. */
function BackgroundArcs() {
  return (
    <Box
      component="svg"
      aria-hidden
      viewBox="0 0 900 900"
      sx={{
        position: 'absolute',
        right: { xs: -360, md: -160 },
        bottom: { xs: -420, md: -260 },
        width: 900,
        height: 900,
        color: 'primary.main',
        opacity: 0.11,
        pointerEvents: 'none',
      }}
    >
      <g fill="none" stroke="currentColor" strokeWidth="1.5">
        {rings.map((radius) => (
          <circle key={radius} cx="900" cy="900" r={radius} />
        ))}
      </g>
    </Box>
  );
}
