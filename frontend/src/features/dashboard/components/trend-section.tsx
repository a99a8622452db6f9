import { lazy, Suspense } from 'react';
import { SectionError } from '../../../ui/section-error';
import { Waiting } from '../../../ui/skeletons';
import { useTrends } from '../api';
import { messages } from '../messages';
import { ChartsSkeleton } from './charts-skeleton';

/** The chart library is the largest of all and comes after the figures. */
const TrendCharts = lazy(() => import('./trend-charts'));

const waiting = (
  <Waiting label="Loading charts">
    <ChartsSkeleton count={2} />
  </Waiting>
);

/** The last 30 days: sends and deliveries, growth. */
export function TrendSection() {
  const { data, error, isFetching, refetch } = useTrends();
  // What was loaded stays; the line over the figures says that refreshing failed.
  if (error && !data) return <SectionError message={messages.chartsFailed} pending={isFetching} onRetry={() => void refetch()} />;
  if (!data) return waiting;
  return (
    <Suspense fallback={waiting}>
      <TrendCharts days={data} />
    </Suspense>
  );
}
