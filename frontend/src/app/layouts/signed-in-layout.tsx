import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import { Suspense, useEffect, type ReactNode } from 'react';
import { Link as RouterLink, Outlet } from 'react-router-dom';
import { useLiveChanges } from '../../api/live/live-api';
import { useCurrentUser } from '../../api/session';
import { LogoutButton } from '../../features/auth/logout-button';
import { UnverifiedBanner } from '../../features/auth/unverified-banner';
import { Bell } from '../../features/notifications/bell';
import { RoleWelcome } from '../../features/settings/role-welcome';
import { TaskBadge } from '../../features/tasks/task-list';
import { useFollowTasks } from '../../features/tasks/tasks';
import { routes } from '../../lib/routes';
import { Brand } from '../../ui/page/brand';
import { IconPanel } from '../../ui/icons';
import { PageSkeleton } from '../../ui/loading/skeletons';
import { useNarrow } from '../../ui/page/page';
import { ThemeSwitch, useOtherScheme } from '../../ui/page/theme-switch';
import { Tooltip } from '../../ui/tooltip';
import { prefetchWhenIdle } from '../screens';
import { LivePaused } from './live-paused';
import { MainArea } from './main-area';
import { COLLAPSED_WIDTH, HEADER_HEIGHT_PX, MAIN_PADDING, SIDEBAR_WIDTH } from './layout-sizes';
import { Shortcuts } from './shortcuts';
import { Sidebar } from './sidebar';
import { useSidebar } from './use-sidebar';

const SHEET_WIDTH = '18rem';

/** The layout of signed-in screens: sidebar, header and the screen. */
export function SignedInLayout({ children }: { children?: ReactNode }) {
  const user = useCurrentUser();
  const isLive = useLiveChanges(user.id);
  useFollowTasks();
  useEffect(prefetchWhenIdle, []);
  const isNarrow = useNarrow();
  const { label: themeLabel } = useOtherScheme();
  const { expanded, sheetOpen, closeSheet, toggle } = useSidebar(isNarrow);
  const label = isNarrow ? 'Open navigation' : expanded ? 'Collapse sidebar' : 'Expand sidebar';
  return (
    <Box sx={{ display: 'flex', minHeight: '100dvh' }}>
      {isNarrow ? (
        <Drawer
          open={sheetOpen}
          onClose={closeSheet}
          slotProps={{
            paper: {
              'aria-label': 'Navigation',
              sx: { width: SHEET_WIDTH, maxWidth: '86vw', bgcolor: 'surface.sidebar' },
            },
          }}
        >
          <Sidebar user={user} onChoose={closeSheet} />
        </Drawer>
      ) : (
        <Box
          component="aside"
          aria-label="Sidebar"
          data-state={expanded ? 'expanded' : 'collapsed'}
          sx={{
            width: expanded ? SIDEBAR_WIDTH : COLLAPSED_WIDTH,
            flexShrink: 0,
            position: 'sticky',
            top: 0,
            height: '100dvh',
            overflow: 'hidden',
            bgcolor: 'surface.sidebar',
            borderRight: 1,
            borderColor: 'divider',
            transition: 'width 160ms ease',
          }}
        >
          <Box sx={{ width: expanded ? SIDEBAR_WIDTH : '100%', height: '100%' }}>
            <Sidebar user={user} collapsed={!expanded} />
          </Box>
        </Box>
      )}
      <Stack sx={{ flex: 1, minWidth: 0 }}>
        <Stack
          component="header"
          direction="row"
          sx={{
            alignItems: 'center',
            gap: { xs: 0, md: 0.5 },
            height: HEADER_HEIGHT_PX,
            px: { xs: 1, md: 2 },
            position: 'sticky',
            top: 0,
            zIndex: 'appBar',
            bgcolor: 'surface.base',
            borderBottom: 1,
            borderColor: 'divider',
          }}
        >
          <Tooltip title={`${label} (Ctrl+B)`}>
            <IconButton aria-label={label} aria-expanded={isNarrow ? sheetOpen : expanded} onClick={toggle}>
              <IconPanel size={18} aria-hidden />
            </IconButton>
          </Tooltip>
          <Box sx={{ flex: 1, minWidth: 0, display: 'flex' }}>
            {isNarrow && (
              <Link
                component={RouterLink}
                to={routes.dashboard.path}
                color="inherit"
                underline="none"
                sx={{ minWidth: 0 }}
              >
                <Brand />
              </Link>
            )}
          </Box>
          {isNarrow && <TaskBadge />}
          <Shortcuts user={user} />
          <Bell />
          <Tooltip title={themeLabel}>
            <ThemeSwitch />
          </Tooltip>
          <LogoutButton />
        </Stack>
        <UnverifiedBanner />
        <LivePaused isLive={isLive} />
        <MainArea sx={{ flex: 1, minWidth: 0, ...MAIN_PADDING }}>
          <Suspense fallback={<PageSkeleton />}>{children ?? <Outlet />}</Suspense>
        </MainArea>
      </Stack>
      <RoleWelcome key={user.id} />
    </Box>
  );
}
