import { lazy, Suspense } from 'react';
import { SectionError } from '../../../ui/section-error';
import { Waiting } from '../../../ui/skeletons';
import { useOutcomes, useTrends } from '../api';
import { messages } from '../messages';
import { ChartsSkeleton } from './charts-skeleton';

/** The chart library is the largest of all and comes after the figures. */
const Charts = lazy(() => import('./charts'));

const waiting = (
  <Waiting label="Loading charts">
    <ChartsSkeleton />
  </Waiting>
);

/** The pictures: sends and deliveries, growth, outcomes. */
export function ChartSection() {
  const trends = useTrends();
  const outcomes = useOutcomes();
  if (trends.error || outcomes.error) {
    const retry = () => {
      if (trends.error) void trends.refetch();
      if (outcomes.error) void outcomes.refetch();
    };
    return <SectionError message={messages.chartsFailed} pending={trends.isFetching || outcomes.isFetching} onRetry={retry} />;
  }
  if (!trends.data || !outcomes.data) return waiting;
  return (
    <Suspense fallback={waiting}>
      <Charts days={trends.data} outcomes={outcomes.data} />
    </Suspense>
  );
}
