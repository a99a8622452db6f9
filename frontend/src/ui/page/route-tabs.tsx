import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import { Tag } from '../tag';

interface RouteTab {
  path: string;
  label: string;
  /** Shown beside the label, as text. */
  count?: string;
}

/** Tabs that are screens with URLs of their own. For tabs within one screen, use `UrlTabs`. */
export function RouteTabs({ label: name, tabs }: { label: string; tabs: readonly RouteTab[] }) {
  const { pathname } = useLocation();
  return (
    <Box
      component="nav"
      aria-label={name}
      sx={{ mb: 2, borderBottom: 1, borderColor: 'divider', display: 'flex', gap: 2.5, overflowX: 'auto' }}
    >
      {tabs.map(({ path, label, count }) => {
        const isCurrent = pathname === path;
        return (
          <Link
            key={path}
            component={RouterLink}
            to={path}
            underline="none"
            aria-current={isCurrent ? 'page' : undefined}
            sx={{
              display: 'inline-flex',
              alignItems: 'center',
              gap: 1,
              py: 1.25,
              px: 0.25,
              whiteSpace: 'nowrap',
              fontWeight: 560,
              borderBottom: 2,
              color: isCurrent ? 'primary.main' : 'text.secondary',
              borderColor: isCurrent ? 'primary.main' : 'transparent',
              '&:hover': { color: 'text.primary' },
            }}
          >
            {label}
            {count && <Tag accent={isCurrent}>{count}</Tag>}
          </Link>
        );
      })}
    </Box>
  );
}
