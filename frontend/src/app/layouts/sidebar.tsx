import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import type { CurrentUser } from '../../api/session';
import { TaskList } from '../../features/tasks/task-list';
import { PRODUCT_NAME } from '../../lib/product';
import { routes } from '../../lib/routes';
import { FINGER_PX, ON_TOUCH } from '../../theme/touch';
import { Brand, BrandMark } from '../../ui/page/brand';
import { Tooltip } from '../../ui/tooltip';
import { entriesFor, isActive, type NavigationEntry } from './navigation';
import { SidebarAccount } from './sidebar-account';

interface SidebarProps {
  user: CurrentUser;
  /** Icons only. */
  collapsed?: boolean;
  /** Called after an entry was chosen, so that the sheet closes. */
  onChoose?: () => void;
}

/** The brand, the navigation, running tasks and the account. */
export function Sidebar({ user, collapsed = false, onChoose }: SidebarProps) {
  const { pathname } = useLocation();
  return (
    <Stack sx={{ height: '100%', p: collapsed ? 0.75 : 1.5, pt: 1.5, gap: 2, overflow: 'hidden auto' }}>
      <Box
        component={RouterLink}
        to={routes.dashboard.path}
        onClick={onChoose}
        aria-label={collapsed ? PRODUCT_NAME : undefined}
        sx={{
          display: 'flex',
          color: 'inherit',
          textDecoration: 'none',
          px: collapsed ? 0.25 : 1,
          py: 0.5,
          borderRadius: 2,
          justifyContent: collapsed ? 'center' : 'flex-start',
        }}
      >
        {collapsed ? <BrandMark size={30} /> : <Brand subtitle />}
      </Box>
      <Box component="nav" aria-label="Main" sx={{ flex: 1 }}>
        <Stack component="ul" sx={{ gap: 0.375, m: 0, p: 0, listStyle: 'none' }}>
          {entriesFor(user.isAdmin).map((entry) => (
            <li key={entry.route}>
              <Entry entry={entry} active={isActive(entry, pathname)} collapsed={collapsed} onChoose={onChoose} />
            </li>
          ))}
        </Stack>
      </Box>
      <TaskList collapsed={collapsed} onChoose={onChoose} />
      <SidebarAccount user={user} collapsed={collapsed} />
    </Stack>
  );
}

function Entry({
  entry,
  active,
  collapsed,
  onChoose,
}: {
  entry: NavigationEntry;
  active: boolean;
  collapsed: boolean;
  onChoose?: () => void;
}) {
  const Mark = entry.icon;
  return (
    <Tooltip title={entry.label} placement="right" inPlace disabled={!collapsed}>
      <Box
        component={RouterLink}
        to={routes[entry.route].path}
        onClick={onChoose}
        aria-current={active ? 'page' : undefined}
        aria-label={collapsed ? entry.label : undefined}
        sx={{
          display: 'flex',
          alignItems: 'center',
          justifyContent: collapsed ? 'center' : 'flex-start',
          gap: 1.25,
          height: 36,
          px: collapsed ? 0 : 1.25,
          borderRadius: 2,
          position: 'relative',
          textDecoration: 'none',
          fontWeight: active ? 600 : 500,
          whiteSpace: 'nowrap',
          color: active ? 'text.primary' : 'text.secondary',
          bgcolor: active ? 'accentSoft' : 'transparent',
          '& svg': { color: active ? 'primary.main' : 'inherit' },
          '&:hover': { color: 'text.primary', bgcolor: active ? 'accentSoft' : 'surface.raised' },
          // Not wider, because a collapsed sidebar has no room.
          [ON_TOUCH]: { minHeight: FINGER_PX },
        }}
      >
        <Mark size={18} aria-hidden />
        {!collapsed && entry.label}
      </Box>
    </Tooltip>
  );
}
