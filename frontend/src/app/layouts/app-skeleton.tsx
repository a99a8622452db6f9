import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Brand } from '../../ui/page/brand';
import type { ScreenHeader } from '../../lib/screen-headers';
import { PageSkeleton } from '../../ui/loading/skeletons';
import { COLLAPSED_WIDTH, HEADER_HEIGHT_PX, MAIN_PADDING, SIDEBAR_WIDTH } from './layout-sizes';

/** Matches when the user has collapsed the sidebar: public/theme-init.js then marks the document. */
const COLLAPSED_SELECTOR = 'html[data-sidebar=collapsed] &';
const ENTRY_COUNT = 7;

/**
 * Placeholder of the application's layout. The build renders it to HTML (prerender.tsx), which is shown while the
 * scripts load.
 */
export function AppSkeleton({ header }: { header?: ScreenHeader }) {
  return (
    <Box role="status" aria-label="Loading" sx={{ display: 'flex', minHeight: '100dvh' }}>
      <Box
        sx={{
          display: { xs: 'none', md: 'block' },
          width: SIDEBAR_WIDTH,
          [COLLAPSED_SELECTOR]: { width: COLLAPSED_WIDTH },
          flexShrink: 0,
          p: 1.5,
          overflow: 'hidden',
          bgcolor: 'surface.sidebar',
          borderRight: 1,
          borderColor: 'divider',
        }}
      >
        <Box sx={{ [COLLAPSED_SELECTOR]: { visibility: 'hidden' } }}>
          <Box sx={{ px: 1, py: 0.5 }}>
            <Brand subtitle />
          </Box>
          <Stack sx={{ gap: 0.375, mt: 2, px: 1.25 }}>
            {Array.from({ length: ENTRY_COUNT }, (_, index) => (
              <Skeleton key={index} width={`${70 - (index % 3) * 12}%`} height={36} />
            ))}
          </Stack>
        </Box>
      </Box>
      <Stack sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ height: HEADER_HEIGHT_PX, flexShrink: 0, borderBottom: 1, borderColor: 'divider' }} />
        <Box sx={{ flex: 1, minWidth: 0, ...MAIN_PADDING }}>
          <PageSkeleton header={header && <StaticHeader {...header} />} />
        </Box>
      </Stack>
    </Box>
  );
}

/** The texts of a screen's header, at the position where PageHeader has them. The h1 element comes with the screen. */
function StaticHeader({ title, description }: ScreenHeader) {
  return (
    <Box sx={{ mb: 3, maxWidth: '68ch' }}>
      <Typography variant="h1" component="div">
        {title}
      </Typography>
      <Typography color="textSecondary" component="div" sx={{ mt: 0.5 }}>
        {description}
      </Typography>
    </Box>
  );
}
