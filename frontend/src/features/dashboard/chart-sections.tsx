import { lazy, Suspense } from 'react';
import { client } from '../../api/client';
import { routes } from '../../lib/routes';
import { SectionError } from '../../ui/loading/section-error';
import { NearViewport } from '../../ui/loading/near-viewport';
import { LoadingRegion } from '../../ui/loading/skeletons';
import { messages } from './api';
import { ChartCard, ChartsSkeleton } from './chart-card';
import { TrendCharts } from './trend-charts';

const loadingCharts = (
  <LoadingRegion label="Loading charts">
    <ChartsSkeleton count={2} />
  </LoadingRegion>
);

/** The charts of the last 30 days: deliveries and list growth. */
export function TrendSection() {
  const { data, error, isFetching, refetch } = client.useGetDashboardTrendsQuery();
  // After a failed refetch the loaded data stays; RefreshFailed above the figures says so.
  if (error && !data)
    return <SectionError message={messages.chartsFailed} pending={isFetching} onRetry={() => void refetch()} />;
  if (!data) return loadingCharts;
  return <TrendCharts days={data} />;
}

/** Lazy, since the chart library is the largest dependency. */
const OutcomeChart = lazy(() => import('./outcome-chart'));

const loadingOutcomes = (
  <LoadingRegion label="Loading outcomes">
    <ChartsSkeleton count={1} />
  </LoadingRegion>
);

/** The chart of the newest sends' outcomes. Renders nothing before the first send. */
export function OutcomeSection() {
  const { data, error, isFetching, refetch } = client.useGetDashboardOutcomesQuery();
  // After a failed refetch the loaded data stays; RefreshFailed above the figures says so.
  if (error && !data)
    return <SectionError message={messages.outcomesFailed} pending={isFetching} onRetry={() => void refetch()} />;
  if (!data) return loadingOutcomes;
  if (data.length === 0) return null;
  return (
    <NearViewport placeholder={loadingOutcomes}>
      <Suspense fallback={loadingOutcomes}>
        <ChartCard
          title="Outcome of your last sends"
          text="Share of the messages that were delivered, failed, bounced, or skipped."
          more={{ to: routes.history.path, label: 'All sends' }}
        >
          <OutcomeChart sends={data} />
        </ChartCard>
      </Suspense>
    </NearViewport>
  );
}
