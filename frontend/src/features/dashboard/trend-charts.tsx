import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { lazy, Suspense } from 'react';
import { useNavigate } from 'react-router-dom';
import { formatCount, plural } from '../../lib/format';
import { historyPath, routes } from '../../lib/routes';
import { deliveryCounts } from '../../shared/delivery-counts';
import { IconHistory, IconUsers } from '../../ui/icons';
import { EmptyState } from '../../ui/loading/empty-state';
import { NearViewport } from '../../ui/loading/near-viewport';
import { messages, type TrendDay } from './api';
import { CHART_HEIGHT, ChartCard } from './chart-card';
import type { DayBarsProps } from './day-bars';

/** Lazy, since the chart library is the largest dependency. */
const LazyDayBars = lazy(() => import('./day-bars'));

const total = (days: TrendDay[], pick: (day: TrendDay) => number) => days.reduce((sum, day) => sum + pick(day), 0);

/** Deliveries and list growth by day. A sentence above each chart gives the sums. */
export function TrendCharts({ days }: { days: TrendDay[] }) {
  const navigate = useNavigate();
  const sends = total(days, (day) => day.sends);
  const [delivered, unconfirmed, failed, bounced] = [
    total(days, (day) => deliveryCounts(day).delivered),
    total(days, (day) => deliveryCounts(day).unconfirmed),
    total(days, (day) => day.failed),
    total(days, (day) => day.bounced),
  ];
  const [added, left] = [total(days, (day) => day.contactsAdded), total(days, (day) => day.unsubscribed)];
  const unsure = unconfirmed > 0 ? ` ${formatCount(unconfirmed)} unconfirmed,` : '';
  const deliveries = `${plural(sends, 'send')} in the last 30 days: ${formatCount(delivered)} delivered,${unsure} ${formatCount(failed)} failed, ${formatCount(bounced)} bounced.`;
  const growth = `${plural(added, 'contact')} added in the last 30 days, ${formatCount(left)} unsubscribed.`;
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <ChartCard
        title="Sends and deliveries"
        text={sends > 0 ? deliveries : undefined}
        more={sends > 0 ? { to: historyPath({ from: days[0]?.date }), label: 'See these sends' } : undefined}
      >
        {sends === 0 ? (
          <EmptyState dense icon={IconHistory} title={messages.noSends} text={messages.noSendsText} />
        ) : (
          <DayBars
            days={days}
            bars={[
              { count: (day) => deliveryCounts(day).delivered, label: 'Delivered', tone: 'success' },
              ...(unconfirmed > 0
                ? [
                    {
                      count: (day: TrendDay) => deliveryCounts(day).unconfirmed,
                      label: 'Unconfirmed',
                      tone: 'warning' as const,
                    },
                  ]
                : []),
              { count: (day) => day.failed, label: 'Failed', tone: 'error' },
              { count: (day) => day.bounced, label: 'Bounced', tone: 'bounced' },
            ]}
            note={(day) => plural(day.sends, 'send')}
            onDay={(date) => void navigate(historyPath({ from: date, to: date }))}
          />
        )}
      </ChartCard>
      <ChartCard
        title="List growth"
        text={added + left > 0 ? growth : undefined}
        more={{ to: routes.lists.path, label: 'See your lists' }}
      >
        {added + left === 0 ? (
          <EmptyState dense icon={IconUsers} title={messages.noGrowth} />
        ) : (
          <DayBars
            days={days}
            bars={[
              { count: (day) => day.contactsAdded, label: 'Added', tone: 'info' },
              { count: (day) => day.unsubscribed, label: 'Unsubscribed', tone: 'warning', down: true },
            ]}
          />
        )}
      </ChartCard>
    </Box>
  );
}

const loading = <Skeleton variant="rounded" height={CHART_HEIGHT} />;

function DayBars(props: DayBarsProps) {
  return (
    <NearViewport placeholder={loading}>
      <Suspense fallback={loading}>
        <LazyDayBars {...props} />
      </Suspense>
    </NearViewport>
  );
}
