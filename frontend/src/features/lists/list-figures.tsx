import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { lazy, Suspense } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { client } from '../../api/client';
import { formatCount } from '../../lib/format';
import { contactsOfStatusPath } from '../../lib/routes';
import { SectionError } from '../../ui/loading/section-error';
import { LoadingRegion } from '../../ui/loading/skeletons';
import type { ListDay } from './contacts/api';
import { messages } from './contacts/messages';

const GrowthLine = lazy(() => import('./growth-line'));
const CHART_HEIGHT = 132;

/** A list's counts, and its growth in the last eight weeks. */
export function ListFigures({ listId }: { listId: string }) {
  const { data, error, isFetching, refetch } = client.useGetListFiguresQuery({ id: listId });
  if (error && !data)
    return (
      <Box sx={{ mb: 2.5 }}>
        <SectionError message={messages.figuresFailed} pending={isFetching} onRetry={() => void refetch()} />
      </Box>
    );
  const chart = <Skeleton variant="rounded" height={CHART_HEIGHT} />;
  return (
    <Paper
      variant="outlined"
      component="section"
      aria-label="Figures"
      sx={{
        p: { xs: 1.75, md: 2.25 },
        mb: 2.5,
        display: 'grid',
        gap: { xs: 1.5, md: 3 },
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'auto minmax(0, 1fr)' },
        alignItems: 'center',
      }}
    >
      {data ? (
        <>
          <Box
            component="dl"
            sx={{
              m: 0,
              display: 'grid',
              gap: { xs: 1.5, md: 1.25 },
              gridTemplateColumns: { xs: 'repeat(3, minmax(0, 1fr))', md: 'minmax(120px, 1fr)' },
            }}
          >
            <Figure label="Confirmed" value={data.confirmed} to={contactsOfStatusPath(listId, 'confirmed')} />
            <Figure label="Pending" value={data.pending} to={contactsOfStatusPath(listId, 'pending')} />
            <Figure label="Bounced" value={data.bounced} />
          </Box>
          <Box sx={{ minWidth: 0 }}>
            <Typography variant="body2" color="textSecondary" sx={{ mb: 0.5 }}>
              {growthOf(data.days)}
            </Typography>
            <Suspense fallback={chart}>
              <GrowthLine days={data.days} height={CHART_HEIGHT} />
            </Suspense>
          </Box>
        </>
      ) : (
        <Box sx={{ gridColumn: '1 / -1' }}>
          <LoadingRegion label="Loading figures">{chart}</LoadingRegion>
        </Box>
      )}
    </Paper>
  );
}

function Figure({ label, value, to }: { label: string; value: number; to?: string }) {
  return (
    <Box sx={{ display: { md: 'flex' }, alignItems: 'baseline', justifyContent: 'space-between', gap: 2 }}>
      <Typography component="dt" variant="body2" color="textSecondary">
        {to ? (
          <Link component={RouterLink} to={to} color="inherit">
            {label}
          </Link>
        ) : (
          label
        )}
      </Typography>
      <Typography component="dd" variant="figure" sx={{ m: 0, fontSize: '1.25rem' }}>
        {formatCount(value)}
      </Typography>
    </Box>
  );
}

/** Description of the chart as text. */
function growthOf(days: ListDay[]): string {
  const sum = (pick: (day: ListDay) => number) => days.reduce((total, day) => total + pick(day), 0);
  return `Last 8 weeks: ${formatCount(sum((day) => day.added))} added, ${formatCount(sum((day) => day.unsubscribed))} unsubscribed.`;
}
