import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import { RowSkeletons, Waiting } from '../../../ui/skeletons';
import { ChartsSkeleton } from './charts-skeleton';

/** The dashboard to come: four cards, the charts, the activity. */
export function StatsSkeleton() {
  return (
    <Waiting label="Loading dashboard">
      <Box sx={{ display: 'grid', gap: 2 }}>
        <Box sx={{ display: 'grid', gap: { xs: 1.5, md: 2 }, gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' } }}>
          {Array.from({ length: 4 }, (_, index) => (
            <Paper key={index} variant="outlined" sx={{ p: { xs: 1.75, md: 2.25 }, height: { xs: 112, md: 121 } }}>
              <Skeleton width="60%" />
              <Skeleton width="35%" height={38} />
              <Skeleton width="50%" height={16} />
            </Paper>
          ))}
        </Box>
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 340px' }, alignItems: 'start' }}>
          <ChartsSkeleton count={2} />
          <RowSkeletons count={6} height={58} />
        </Box>
      </Box>
    </Waiting>
  );
}
