import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { changed } from '../../../shared/database/queries/rows.js';

/** Maximum providers whose rate is measured, and maximum counts that are not written yet. */
const MAX_PROVIDERS = 20_000;
/** Seconds over which the rate is measured: the current second and the one before. */
const WINDOW_SECONDS = 2;
const WRITE_MS = 10_000;

interface Counted {
  second: number;
  now: number;
  before: number;
}

interface Minute {
  account: string;
  provider: string;
  accepted: number;
  refused: number;
  /** When a message was last counted, by performance.now(). */
  countedAt: number;
}

/**
 * Counts the messages that providers accept and refuse. The measured rate is that of this worker only. Counts per
 * minute are written for the operations page, for large providers and for those that asked for a lower rate.
 */
@Injectable()
export class ProviderTraffic implements BeforeApplicationShutdown {
  private readonly log = new Logger(ProviderTraffic.name);
  private readonly counted = new Map<string, Counted>();
  /** Counts of the account in use since the last write began. */
  private minutes = new Map<string, Minute>();
  /** Counts that could not be written to the database yet. */
  private unwritten: Minute[] = [];
  private account = '';
  private writing = Promise.resolve();

  constructor(private readonly em: EntityManager) {}

  /** Sets the account to which further counts belong. */
  use(account: string): void {
    if (account === this.account) return;
    void this.flush();
    this.account = account;
  }

  /**
   * Counts an accepted message.
   * @param isWatched whether the count per minute is written
   */
  accepted(provider: string, isWatched: boolean): void {
    const second = Math.floor(performance.now() / 1000);
    const found = this.counted.get(provider);
    if (!found) {
      if (this.counted.size >= MAX_PROVIDERS) this.counted.clear();
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

  /** Messages per second that a provider accepted recently from this worker. */
  measured(provider: string): number {
    const found = this.counted.get(provider);
    const second = Math.floor(performance.now() / 1000);
    if (!found || found.second < second - 1) return 0;
    return (found.second === second ? found.now + found.before : found.now) / WINDOW_SECONDS;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  /**
   * Writes the counts since the last write. Writes run one after another; counts of a failed write are written with the
   * next one.
   */
  @Interval(WRITE_MS)
  flush(): Promise<void> {
    const minutes = [...this.minutes.values()];
    this.minutes = new Map();
    this.writing = this.writing.then(() => this.write(minutes));
    return this.writing;
  }

  private async write(newest: Minute[]): Promise<void> {
    const minutes = [...this.unwritten, ...newest].slice(-MAX_PROVIDERS);
    this.unwritten = [];
    if (minutes.length === 0) return;
    const now = performance.now();
    const counts = minutes.map(({ countedAt, ...counted }) => ({ ...counted, age: (now - countedAt) / 1000 }));
    try {
      await changed(this.em.fork(), WRITE, [JSON.stringify(counts)]);
    } catch (error) {
      this.unwritten = minutes;
      this.log.warn(
        { err: error, code: 'provider_counts_not_written' },
        'counts of mailbox providers could not be written; retrying',
      );
    }
  }

  private minuteOf(provider: string): Minute {
    let minute = this.minutes.get(provider);
    if (!minute)
      this.minutes.set(provider, (minute = { account: this.account, provider, accepted: 0, refused: 0, countedAt: 0 }));
    minute.countedAt = performance.now();
    return minute;
  }
}

/** Adds counts to the stored minutes. Parameter: counts as JSON, with `age` in seconds. */
const WRITE = `
  insert into provider_minutes as m (account, provider, minute, accepted, refused)
  select f.account, f.provider, date_trunc('minute', now() - make_interval(secs => f.age)), sum(f.accepted), sum(f.refused)
  from jsonb_to_recordset(?::jsonb) as f(account text, provider text, accepted int, refused int, age float8) group by 1, 2, 3 order by 1, 2, 3
  on conflict (account, provider, minute) do update set accepted = m.accepted + excluded.accepted, refused = m.refused + excluded.refused`;
