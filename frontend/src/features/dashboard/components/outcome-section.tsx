import { lazy, Suspense } from 'react';
import { SectionError } from '../../../ui/section-error';
import { Waiting } from '../../../ui/skeletons';
import { useOutcomes } from '../api';
import { messages } from '../messages';
import { ChartCard } from './chart-card';
import { ChartsSkeleton } from './charts-skeleton';

const OutcomeChart = lazy(() => import('./outcome-chart'));

const waiting = (
  <Waiting label="Loading outcomes">
    <ChartsSkeleton count={1} />
  </Waiting>
);

/** What became of the newest sends; nothing before the first. */
export function OutcomeSection() {
  const { data, error, isFetching, refetch } = useOutcomes();
  // What was loaded stays; the line over the figures says that refreshing failed.
  if (error && !data) return <SectionError message={messages.outcomesFailed} pending={isFetching} onRetry={() => void refetch()} />;
  if (!data) return waiting;
  if (data.length === 0) return null;
  return (
    <Suspense fallback={waiting}>
      <ChartCard title="Outcome of your last sends" text="Share of the messages that were delivered, failed, bounced, or skipped.">
        <OutcomeChart sends={data} />
      </ChartCard>
    </Suspense>
  );
}
