import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { changed } from '../../../shared/database/rows.js';

const KEPT = 20_000;
/** The rate is measured over the present and the last second. */
const WINDOW_SECONDS = 2;
const WRITE_MS = 10_000;
const FORGET_MS = 3_600_000;

interface Counted {
  second: number;
  now: number;
  before: number;
}

interface Minute {
  accepted: number;
  refused: number;
}

/**
 * What providers took and refused. The rate of late is this worker's own; minutes are written for the operations page, for large providers
 * and those that ever refused for a rate.
 */
@Injectable()
export class ProviderTraffic implements BeforeApplicationShutdown {
  private readonly log = new Logger(ProviderTraffic.name);
  private readonly counted = new Map<string, Counted>();
  private readonly minutes = new Map<string, Minute>();
  private account = '';

  constructor(private readonly em: EntityManager) {}

  /** What is counted from now on went by this account. */
  use(account: string): void {
    if (account !== this.account) void this.flush();
    this.account = account;
  }

  /** A message was taken. @param isWatched whether its minute is written */
  accepted(provider: string, isWatched: boolean): void {
    const second = Math.floor(performance.now() / 1000);
    const found = this.counted.get(provider);
    if (!found) {
      if (this.counted.size >= KEPT) this.counted.clear();
      this.counted.set(provider, { second, now: 1, before: 0 });
    } else if (found.second === second) found.now++;
    else {
      found.before = found.second === second - 1 ? found.now : 0;
      found.now = 1;
      found.second = second;
    }
    if (isWatched) this.minuteOf(provider).accepted++;
  }

  refused(provider: string): void {
    this.minuteOf(provider).refused++;
  }

  /** Messages a second that a provider took of late from this worker. */
  measured(provider: string): number {
    const found = this.counted.get(provider);
    const second = Math.floor(performance.now() / 1000);
    if (!found || found.second < second - 1) return 0;
    return (found.second === second ? found.now + found.before : found.now) / WINDOW_SECONDS;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  @Interval(WRITE_MS)
  async flush(): Promise<void> {
    const { account } = this;
    const minutes = [...this.minutes].map(([provider, minute]) => ({ provider, ...minute }));
    this.minutes.clear();
    if (minutes.length === 0) return;
    await changed(
      this.em.fork(),
      `insert into provider_minutes as m (account, provider, minute, accepted, refused)
       select ?, f.provider, date_trunc('minute', now()), f.accepted, f.refused from jsonb_to_recordset(?::jsonb) as f(provider text, accepted int, refused int) order by f.provider
       on conflict (account, provider, minute) do update set accepted = m.accepted + excluded.accepted, refused = m.refused + excluded.refused`,
      [account, JSON.stringify(minutes)],
    ).catch((error: unknown) => this.log.warn({ err: error }, 'what providers took could not be written'));
  }

  /** Minutes of long ago, and limiters that nothing was sent by for days. */
  @Interval(FORGET_MS)
  async forget(): Promise<void> {
    const em = this.em.fork();
    await changed(em, `delete from provider_minutes where minute < now() - interval '3 hours'`).catch(() => undefined);
    await changed(em, `delete from provider_rates where used_at < now() - interval '3 days'`).catch(() => undefined);
    await changed(em, `delete from recipient_domains where looked_up_at < now() - interval '60 days'`).catch(() => undefined);
  }

  private minuteOf(provider: string): Minute {
    let minute = this.minutes.get(provider);
    if (!minute) this.minutes.set(provider, (minute = { accepted: 0, refused: 0 }));
    return minute;
  }
}
