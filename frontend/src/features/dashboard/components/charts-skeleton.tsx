import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';

/** Charts to come, at their size. */
export function ChartsSkeleton({ count }: { count: number }) {
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {Array.from({ length: count }, (_, index) => (
        <Paper key={index} variant="outlined" sx={{ p: 2.25, height: 364 }}>
          <Skeleton width="40%" height={24} />
          <Skeleton variant="rounded" height={250} sx={{ mt: 2 }} />
        </Paper>
      ))}
    </Box>
  );
}
