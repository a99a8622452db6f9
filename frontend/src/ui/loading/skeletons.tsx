import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';

/** Announces a loading section to screen readers and hides its placeholders. */
export function LoadingRegion({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box role="status" aria-label={label}>
      <Box aria-hidden>{children}</Box>
    </Box>
  );
}

/** Placeholders of cards in their grid. */
export function CardSkeletons({
  count = 6,
  minWidth = 280,
  height = 132,
}: {
  count?: number;
  minWidth?: number;
  height?: number;
}) {
  return (
    <Box
      sx={{ display: 'grid', gap: 2, gridTemplateColumns: `repeat(auto-fill, minmax(min(${minWidth}px, 100%), 1fr))` }}
    >
      {Array.from({ length: count }, (_, index) => (
        <Paper key={index} variant="outlined" sx={{ p: 2.5, height }}>
          <Skeleton width="55%" height={22} />
          <Skeleton width="85%" sx={{ mt: 1 }} />
          <Skeleton width="40%" sx={{ mt: 3 }} />
        </Paper>
      ))}
    </Box>
  );
}

/** Placeholders of rows. */
export function RowSkeletons({ count = 5, height = 64 }: { count?: number; height?: number }) {
  return (
    <Paper variant="outlined">
      {Array.from({ length: count }, (_, index) => (
        <Stack
          key={index}
          direction="row"
          sx={{ alignItems: 'center', gap: 2, px: 2.5, height, borderTop: index ? 1 : 0, borderColor: 'divider' }}
        >
          <Box sx={{ flex: 1 }}>
            <Skeleton width={`${65 - (index % 3) * 12}%`} />
            <Skeleton width="30%" height={14} />
          </Box>
          <Skeleton width={72} height={26} />
        </Stack>
      ))}
    </Paper>
  );
}

/** Placeholder of a whole screen; `header` is shown if it is known. */
export function PageSkeleton({ header }: { header?: ReactNode }) {
  return (
    <LoadingRegion label="Loading">
      <Box sx={{ maxWidth: 1160, mx: 'auto' }}>
        {header ?? (
          <>
            <Skeleton width={220} height={34} />
            <Skeleton width={320} sx={{ maxWidth: '80%', mb: 3 }} />
          </>
        )}
        <RowSkeletons />
      </Box>
    </LoadingRegion>
  );
}
