import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import { Suspense, useEffect, type ReactNode } from 'react';
import { Outlet, Link as RouterLink } from 'react-router-dom';
import { useLiveChanges } from '../../api/live/live-api';
import { useCurrentUser } from '../../api/session';
import { LogoutButton } from '../../features/auth/components/logout-button';
import { UnverifiedBanner } from '../../features/auth/components/unverified-banner';
import { RoleWelcome } from '../../features/settings/components/role-welcome';
import { TaskBadge } from '../../features/tasks/components/task-list';
import { useFollowTasks } from '../../features/tasks/use-tasks';
import { routes } from '../../lib/routes';
import { Brand } from '../../ui/brand';
import { Hint } from '../../ui/hint';
import { IconPanel } from '../../ui/icons';
import { PageSkeleton } from '../../ui/skeletons';
import { ThemeToggle } from '../../ui/theme-toggle';
import { useNarrow } from '../../ui/use-narrow';
import { prefetchWhenIdle } from '../screens';
import { MainArea } from './main-area';
import { Sidebar } from './sidebar';
import { useSidebar } from './use-sidebar';

const WIDTH = '16rem';
const COLLAPSED = '3rem';
const SHEET = '18rem';

/** Sidebar, header and the screen. */
export function SignedInLayout({ children }: { children?: ReactNode }) {
  const user = useCurrentUser();
  useLiveChanges(user.id);
  useFollowTasks();
  useEffect(prefetchWhenIdle, []);
  const isNarrow = useNarrow();
  const { expanded, sheetOpen, closeSheet, toggle } = useSidebar(isNarrow);
  const label = isNarrow ? 'Open navigation' : expanded ? 'Collapse sidebar' : 'Expand sidebar';
  return (
    <Box sx={{ display: 'flex', minHeight: '100dvh' }}>
      {isNarrow ? (
        <Drawer open={sheetOpen} onClose={closeSheet} slotProps={{ paper: { 'aria-label': 'Navigation', sx: { width: SHEET, maxWidth: '86vw', bgcolor: 'surface.rail' } } }}>
          <Sidebar user={user} onChoose={closeSheet} />
        </Drawer>
      ) : (
        <Box
          component="aside"
          aria-label="Sidebar"
          data-state={expanded ? 'expanded' : 'collapsed'}
          sx={{
            width: expanded ? WIDTH : COLLAPSED, flexShrink: 0, position: 'sticky', top: 0, height: '100dvh', overflow: 'hidden',
            bgcolor: 'surface.rail', borderRight: 1, borderColor: 'surface.line', transition: 'width 160ms ease',
          }}
        >
          <Box sx={{ width: expanded ? WIDTH : '100%', height: '100%' }}>
            <Sidebar user={user} collapsed={!expanded} />
          </Box>
        </Box>
      )}
      <Stack sx={{ flex: 1, minWidth: 0 }}>
        <Stack
          component="header"
          direction="row"
          sx={{
            alignItems: 'center', gap: 0.5, height: 56, px: { xs: 1, md: 2 }, position: 'sticky', top: 0, zIndex: 'appBar',
            bgcolor: 'surface.base', borderBottom: 1, borderColor: 'surface.line',
          }}
        >
          <Hint title={`${label} (Ctrl+B)`}>
            <IconButton aria-label={label} aria-expanded={isNarrow ? sheetOpen : expanded} onClick={toggle}>
              <IconPanel size={18} aria-hidden />
            </IconButton>
          </Hint>
          <Box sx={{ flex: 1, display: 'flex' }}>
            {isNarrow && (
              <Link component={RouterLink} to={routes.dashboard.path} color="inherit" underline="none">
                <Brand />
              </Link>
            )}
          </Box>
          {isNarrow && <TaskBadge />}
          <ThemeToggle />
          <LogoutButton />
        </Stack>
        <UnverifiedBanner />
        <MainArea sx={{ flex: 1, minWidth: 0, px: { xs: 2, md: 4 }, py: { xs: 2.5, md: 4 } }}>
          <Suspense fallback={<PageSkeleton />}>{children ?? <Outlet />}</Suspense>
        </MainArea>
      </Stack>
      <RoleWelcome key={user.id} />
    </Box>
  );
}
