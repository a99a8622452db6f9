import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';

/** Height of a chart, in pixels. */
export const CHART_HEIGHT = 260;

interface ChartCardProps {
  title: string;
  text?: string;
  /** The screen with the items that the chart counts. */
  more?: { to: string; label: string };
  children: ReactNode;
}

/** A chart with its title, its content in words, and a link to the items. */
export function ChartCard({ title, text, more, children }: ChartCardProps) {
  return (
    <Paper
      variant="outlined"
      component="section"
      aria-label={title}
      sx={{ p: { xs: 1.75, md: 2.25 }, pb: { xs: 1, md: 1.25 }, minWidth: 0, overflow: 'hidden' }}
    >
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'baseline', justifyContent: 'space-between' }}>
        <Typography variant="h2" sx={{ fontSize: '1rem' }}>
          {title}
        </Typography>
        {more && (
          <Link component={RouterLink} to={more.to} variant="body2" sx={{ whiteSpace: 'nowrap' }}>
            {more.label}
          </Link>
        )}
      </Box>
      {text && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.25, mb: 1.5 }}>
          {text}
        </Typography>
      )}
      {children}
    </Paper>
  );
}

/** Placeholder of `count` charts. */
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
