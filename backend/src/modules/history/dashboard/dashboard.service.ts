import { Injectable } from '@nestjs/common';
import type { RequestUser } from '../../../shared/http/index.js';
import { Accounts } from '../../auth/index.js';
import { ListActivity, Lists } from '../../lists/index.js';
import type { ActivityDto, DashboardStatsDto, TrendDayDto } from './dashboard.dto.js';
import { HistorySearch } from '../history-search.service.js';
import { SendTrends } from './send-trends.service.js';
import { UsageLedger } from '../usage-ledger.service.js';

const RECENT = 10;
const CHART_DAYS = 30;
const DAY_MS = 86_400_000;

/** Data of the dashboard about the user's own lists and sends, read from stored counts. */
@Injectable()
export class Dashboard {
  constructor(
    private readonly accounts: Accounts,
    private readonly lists: Lists,
    private readonly activity: ListActivity,
    private readonly history: HistorySearch,
    private readonly trendsOf: SendTrends,
    private readonly usage: UsageLedger,
  ) {}

  async stats(user: RequestUser): Promise<DashboardStatsDto> {
    const [{ plan }, totals, emailsSentToday, sends, events] = await Promise.all([
      this.accounts.entitlementsOf(user.id),
      this.lists.totalsOf(user.id),
      this.usage.sentToday(user.id, user.timeZone),
      this.history.newest(user, RECENT),
      this.activity.newest(user.id, RECENT),
    ]);
    const sent = sends.map(({ id, subject, sentAt }) => ({
      action: 'Email sent' as const,
      name: subject,
      time: sentAt,
      sendId: id,
    }));
    return { emailsSentToday, ...totals, tier: plan, recentActivity: merged([...sent, ...events]) };
  }

  /** One entry for each of the last 30 days; days without events are zero. */
  async trends({ id, timeZone }: RequestUser): Promise<TrendDayDto[]> {
    const dates = daysUntil(await this.trendsOf.today(timeZone));
    const [sends, audience] = await Promise.all([
      this.trendsOf.daysSince(id, timeZone, dates[0]!),
      this.activity.daysSince(id, timeZone, dates[0]!),
    ]);
    const sendsOn = new Map(sends.map((day) => [day.date, day]));
    const audienceOn = new Map(audience.map((day) => [day.date, day]));
    const none = { sends: 0, sent: 0, unconfirmed: 0, failed: 0, bounced: 0, contactsAdded: 0, unsubscribed: 0 };
    return dates.map((date) => ({ ...none, ...sendsOn.get(date), ...audienceOn.get(date), date }));
  }
}

/** Merges activities of sends and lists, newest first. */
function merged(events: (Omit<ActivityDto, 'time'> & { time: Date | string })[]): ActivityDto[] {
  return events
    .map((event) => ({ ...event, time: new Date(event.time).toISOString() }))
    .sort((a, b) => b.time.localeCompare(a.time))
    .slice(0, RECENT);
}

/** The 30 dates up to and including `today`. */
function daysUntil(today: string): string[] {
  const last = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: CHART_DAYS }, (_, index) =>
    new Date(last - (CHART_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}
