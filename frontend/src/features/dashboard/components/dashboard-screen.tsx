import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link as RouterLink } from 'react-router-dom';
import { hourNow, plural } from '../../../lib/format';
import { routes } from '../../../lib/routes';
import { Freshness, RefreshFailed, shownData } from '../../../ui/freshness';
import { IconSend } from '../../../ui/icons';
import { Page } from '../../../ui/page';
import { PageHeader } from '../../../ui/page-header';
import { SectionError } from '../../../ui/section-error';
import { useCurrentUser, useStats } from '../api';
import { messages } from '../messages';
import { OutcomeSection } from './outcome-section';
import { QuickLinks } from './quick-links';
import { RecentActivity } from './recent-activity';
import { StatCards } from './stat-cards';
import { StatsSkeleton } from './stats-skeleton';
import { TrendSection } from './trend-section';

const partOfDay = (hour: number) => (hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening');

/** Where the day starts: what is left to send, the figures, what happened lately, the last 30 days. */
export function DashboardScreen() {
  const { firstName, entitlements } = useCurrentUser();
  const query = useStats();
  const { error, isFetching, refetch } = query;
  const stats = shownData(query);
  const greeting = `${partOfDay(hourNow())}${firstName ? `, ${firstName}` : ''}.`;
  const left = entitlements.remainingToday === null ? 'You can send as often as you like.' : `You have ${plural(entitlements.remainingToday, 'send')} left today.`;
  const isNew = stats?.recentActivity.length === 0;
  return (
    <Page>
      <PageHeader
        title="Dashboard"
        description={`${greeting} ${left}`}
        freshness={<Freshness query={query} what="dashboard" />}
        action={
          <Button component={RouterLink} to={routes.send.path} variant="contained" startIcon={<IconSend size={16} aria-hidden />}>
            Send Email
          </Button>
        }
      />
      <RefreshFailed query={query} />
      {error && !stats && <SectionError message={messages.statsFailed} pending={isFetching} onRetry={() => void refetch()} />}
      {!stats && !error && <StatsSkeleton />}
      {stats && (
        <Box sx={{ display: 'grid', gap: 2 }}>
          <StatCards stats={stats} />
          {isNew && <QuickLinks />}
          <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: isNew ? 'minmax(0, 1fr)' : 'minmax(0, 1fr) 340px' }, alignItems: 'start' }}>
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
