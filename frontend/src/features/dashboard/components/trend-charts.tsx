import Box from '@mui/material/Box';
import { formatCount, plural } from '../../../lib/format';
import { EmptyState } from '../../../ui/empty-state';
import { IconHistory, IconUsers } from '../../../ui/icons';
import type { TrendDay } from '../api';
import { messages } from '../messages';
import { ChartCard } from './chart-card';
import { DayBars } from './day-bars';

const total = (days: TrendDay[], pick: (day: TrendDay) => number) => days.reduce((sum, day) => sum + pick(day), 0);

/** Sends and deliveries, and growth, day by day; what they show is also said in a sentence. */
export default function TrendCharts({ days }: { days: TrendDay[] }) {
  const sends = total(days, (day) => day.sends);
  const [sent, failed, bounced] = [total(days, (day) => day.sent), total(days, (day) => day.failed), total(days, (day) => day.bounced)];
  const [added, left] = [total(days, (day) => day.contactsAdded), total(days, (day) => day.unsubscribed)];
  const deliveries = `${plural(sends, 'send')} in the last 30 days: ${formatCount(sent)} delivered, ${formatCount(failed)} failed, ${formatCount(bounced)} bounced.`;
  const growth = `${plural(added, 'contact')} added in the last 30 days, ${formatCount(left)} unsubscribed.`;
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <ChartCard title="Sends and deliveries" text={sends > 0 ? deliveries : undefined}>
        {sends === 0 ? (
          <EmptyState dense icon={IconHistory} title={messages.noSends} text={messages.noSendsText} />
        ) : (
          <DayBars
            days={days}
            bars={[
              { key: 'sent', label: 'Delivered', tone: 'good' },
              { key: 'failed', label: 'Failed', tone: 'bad' },
              { key: 'bounced', label: 'Bounced', tone: 'bounced' },
            ]}
            note={(day) => plural(day.sends, 'send')}
          />
        )}
      </ChartCard>
      <ChartCard title="List growth" text={added + left > 0 ? growth : undefined}>
        {added + left === 0 ? (
          <EmptyState dense icon={IconUsers} title={messages.noGrowth} />
        ) : (
          <DayBars
            days={days}
            bars={[
              { key: 'contactsAdded', label: 'Added', tone: 'running' },
              { key: 'unsubscribed', label: 'Unsubscribed', tone: 'waiting', down: true },
            ]}
          />
        )}
      </ChartCard>
    </Box>
  );
}
