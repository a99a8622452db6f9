import { screenHeaders } from '../../lib/screen-headers';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import { useDeferredValue } from 'react';
import { client } from '../../api/client';
import { DataAge, RefreshFailed, shownData } from '../../ui/loading/data-age';
import { SectionError } from '../../ui/loading/section-error';
import { RowSkeletons, LoadingRegion } from '../../ui/loading/skeletons';
import { Page, PageHeader } from '../../ui/page/page';
import { SendLink } from '../../ui/send-link';
import { messages } from './api';
import { ChartsSkeleton } from './chart-card';
import { OutcomeSection, TrendSection } from './chart-sections';
import { FirstSteps, isOnboarding } from './first-steps';
import { QuickLinks } from './quick-links';
import { RecentActivity } from './recent-activity';
import { StatCards } from './stat-cards';

/** The statistics, the recent activity and the charts of the last 30 days. */
export function DashboardScreen() {
  const query = client.useGetDashboardStatsQuery();
  const { data: onboarding, isLoading: areStepsLoading } = client.useGetOnboardingQuery();
  const { error, isFetching, refetch } = query;
  // The figures are shown only once the first steps are loaded, because the steps would push them down. They are also
  // deferred, so that they are rendered in short tasks and a slow phone stays responsive.
  const stats = useDeferredValue(areStepsLoading ? undefined : shownData(query));
  const isNew = stats?.recentActivity.length === 0;
  return (
    <Page>
      <PageHeader
        {...screenHeaders.dashboard}
        freshness={<DataAge query={query} name="dashboard" />}
        action={<SendLink />}
      />
      <RefreshFailed query={query} />
      {error && !stats && (
        <SectionError message={messages.statsFailed} pending={isFetching} onRetry={() => void refetch()} />
      )}
      {!stats && !error && <StatsSkeleton />}
      {stats && (
        <Box sx={{ display: 'grid', gap: 2 }}>
          {isOnboarding(onboarding) && <FirstSteps state={onboarding} />}
          <StatCards stats={stats} />
          {isNew && !isOnboarding(onboarding) && <QuickLinks />}
          <Box
            sx={{
              display: 'grid',
              gap: 2,
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: isNew ? 'minmax(0, 1fr)' : 'minmax(0, 1fr) 340px' },
              alignItems: 'start',
            }}
          >
            <Box sx={{ order: { lg: 1 }, minWidth: 0 }}>
              <RecentActivity events={stats.recentActivity} />
            </Box>
            {!isNew && <TrendSection />}
          </Box>
          {!isNew && <OutcomeSection />}
        </Box>
      )}
    </Page>
  );
}

/** Placeholder of the dashboard while it loads. */
function StatsSkeleton() {
  return (
    <LoadingRegion label="Loading dashboard">
      <Box sx={{ display: 'grid', gap: 2 }}>
        <Box
          sx={{
            display: 'grid',
            gap: { xs: 1.5, md: 2 },
            gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' },
          }}
        >
          {Array.from({ length: 4 }, (_, index) => (
            <Paper key={index} variant="outlined" sx={{ p: { xs: 1.75, md: 2.25 }, height: { xs: 112, md: 121 } }}>
              <Skeleton width="60%" />
              <Skeleton width="35%" height={38} />
              <Skeleton width="50%" height={16} />
            </Paper>
          ))}
        </Box>
        <Box
          sx={{
            display: 'grid',
            gap: 2,
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 340px' },
            alignItems: 'start',
          }}
        >
          <ChartsSkeleton count={2} />
          <RowSkeletons count={6} height={58} />
        </Box>
      </Box>
    </LoadingRegion>
  );
}
