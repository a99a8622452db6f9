import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/rows.js';
import { SendTotalsReader } from '../../history/index.js';
import type { ReputationFlag, SenderRatesDto, SenderReputationDto } from '../dto/reputation.dto.js';

/** Google's numbers (guide/email.md §2): aim below the first, never reach the second; a handful of mails says nothing. */
const WATCH = 0.001;
const ALERT = 0.003;
const ENOUGH = 1_000;

/** How often a user's mail comes back or is reported as spam: one bad sender burns the shared domain. */
@Injectable()
export class SenderReputation {
  constructor(
    private readonly em: EntityManager,
    private readonly totals: SendTotalsReader,
  ) {}

  /** Of these users, or of everyone who sent within 30 days, the worst first. */
  async of(userIds?: readonly string[]): Promise<SenderReputationDto[]> {
    const [week, month] = [await this.ratesOf(7, userIds), await this.ratesOf(30, userIds)];
    const ids = userIds ?? [...month.keys()];
    const all = ids.map((userId) => {
      const last7Days = week.get(userId) ?? NOTHING;
      const last30Days = month.get(userId) ?? NOTHING;
      return { userId, last7Days, last30Days, flag: worse(flagOf(last7Days), flagOf(last30Days)) };
    });
    return userIds ? all : all.sort((a, b) => ORDER.indexOf(b.flag) - ORDER.indexOf(a.flag) || b.last30Days.complaintRate - a.last30Days.complaintRate || b.last30Days.bounceRate - a.last30Days.bounceRate);
  }

  private async ratesOf(days: number, userIds?: readonly string[]): Promise<Map<string, SenderRatesDto>> {
    const refused = new Map((await this.refusedAddresses(days, userIds)).map((row) => [row.userId, row.n]));
    const totals = await this.totals.ofDays(days, userIds);
    return new Map(totals.map(({ userId, delivered, bounced, complained }) => {
      // An unknown mailbox is a bounce, whether it is refused at once or comes back.
      const back = bounced + (refused.get(userId) ?? 0);
      const tried = delivered + (refused.get(userId) ?? 0);
      return [userId, { mails: tried, bounced: back, complained, bounceRate: share(back, tried), complaintRate: share(complained, delivered) }];
    }));
  }

  private refusedAddresses(days: number, userIds?: readonly string[]): Promise<{ userId: string; n: number }[]> {
    return rows(
      this.em,
      `select user_id as "userId", count(*)::int as n from bounce_reports
       where report_key = 'smtp' and class = 'hard-address' and user_id is not null and created_at > now() - make_interval(days => ?::int)
         and (?::jsonb is null or user_id in (select value::uuid from jsonb_array_elements_text(?::jsonb)))
       group by 1`,
      [days, userIds ? JSON.stringify(userIds) : null, JSON.stringify(userIds ?? [])],
    );
  }
}

const NOTHING: SenderRatesDto = { mails: 0, bounced: 0, complained: 0, bounceRate: 0, complaintRate: 0 };
const ORDER: readonly ReputationFlag[] = ['none', 'watch', 'alert'];
const share = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 1_000_000) / 1_000_000);
const worse = (a: ReputationFlag, b: ReputationFlag): ReputationFlag => (ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b);

function flagOf({ mails, complaintRate }: SenderRatesDto): ReputationFlag {
  if (mails < ENOUGH || complaintRate < WATCH) return 'none';
  return complaintRate >= ALERT ? 'alert' : 'watch';
}
