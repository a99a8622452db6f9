import { type JobPayloads } from '../../../src/shared/jobs/job-handler.js';
import type { Actor, GatedDatabase } from './gated-database.js';
import { newHolder, newSend, pass } from './people.js';

/** Mailbox providers: messages a second that each accepts from all workers together, and most messages at once. */
const PROVIDERS = {
  'free.test': { perSecond: Infinity, most: Infinity },
  'slow.test': { perSecond: 3, most: 4 },
  'slowest.test': { perSecond: 0.5, most: 2 },
};
export const DOMAINS = Object.keys(PROVIDERS) as (keyof typeof PROVIDERS)[];
export const HOLDERS = 4;
/** Seconds for which no message goes to a provider after a refusal. */
const HELD_SECONDS = 2;
/** Rate that is used for a provider after its first refusal. */
const LEARNED = { perSecond: 4, most: 4 };

interface Provider {
  perSecond: number;
  most: number;
  /** Number of messages that the provider would accept now. */
  places: number;
  isRefusing: boolean;
  heldUntil: number;
  /** Time of the last refusal, by performance.now(). */
  cutAt: number;
}

export interface Send {
  id: string;
  userId: string;
}

/**
 * Everything outside the workers: the clock, the mailbox providers with the messages that they accepted, the job queue,
 * and the account holders.
 */
export class World {
  clock = 0;
  isOver = false;
  readonly violations: string[] = [];
  readonly sends: Send[] = [];
  /** Number of acceptances by delivery id. */
  readonly accepted = new Map<string, number>();
  readonly jobs: { payload: JobPayloads['deliveries']; at: number; jobId?: string }[] = [];
  private readonly providers = new Map<string, Provider>();
  private readonly sleepers = new Set<{ actor: Actor; at: number; wake: () => void }>();
  private holders: string[] = [];

  constructor(readonly database: GatedDatabase) {
    for (const [domain, { perSecond, most }] of Object.entries(PROVIDERS))
      this.providers.set(domain, {
        perSecond,
        most,
        places: most,
        isRefusing: false,
        heldUntil: 0,
        cutAt: -Infinity,
      });
  }

  async begin(): Promise<void> {
    await this.database.query('delete from users');
    await this.database.query('delete from delivery_tallies');
    this.holders = [];
    for (let i = 0; i < HOLDERS; i++) this.holders.push(await newHolder(this.database));
  }

  async accept(holder: number, domains: readonly string[]): Promise<void> {
    const userId = this.holders[holder]!;
    const id = await newSend(this.database, userId, domains, true);
    this.sends.push({ id, userId });
    this.enqueue({}, 0, id);
  }

  holderOf(sendId: string): string {
    return this.sends.find(({ id }) => id === sendId)!.userId;
  }

  provider(domain: string): Provider {
    return this.providers.get(domain)!;
  }

  /** Takes slots of a provider's rate. */
  take(domain: string, wanted: number): number {
    const provider = this.provider(domain);
    if (provider.heldUntil > this.clock) return 0;
    const granted = Math.min(wanted, Math.floor(provider.places));
    provider.places -= granted;
    return granted;
  }

  /** A message arrives at its provider. @returns whether the provider accepts it */
  arrives(domain: string, id: string): boolean {
    const provider = this.provider(domain);
    if (!provider.isRefusing) {
      this.accepted.set(id, (this.accepted.get(id) ?? 0) + 1);
      return true;
    }
    Object.assign(provider, {
      perSecond: Math.min(provider.perSecond, LEARNED.perSecond),
      most: Math.min(provider.most, LEARNED.most),
      places: 0,
      heldUntil: this.clock + HELD_SECONDS * 1000,
      cutAt: performance.now(),
    });
    return false;
  }

  enqueue(payload: JobPayloads['deliveries'], delayMs = 0, jobId?: string): void {
    if (jobId !== undefined && this.jobs.some((job) => job.jobId === jobId)) return;
    this.jobs.push({ payload, at: this.clock + delayMs, jobId });
  }

  dueJob(): JobPayloads['deliveries'] | undefined {
    const at = this.jobs.findIndex((job) => job.at <= this.clock);
    return at < 0 ? undefined : this.jobs.splice(at, 1)[0]!.payload;
  }

  sleep(actor: Actor, ms: number, signal?: AbortSignal): Promise<void> {
    if (this.isOver) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.sleepers.delete(sleeper);
        if (!actor.isDead) resolve();
      };
      const sleeper = { actor, at: this.clock + ms, wake };
      this.sleepers.add(sleeper);
      signal?.addEventListener('abort', wake);
    });
  }

  /** Lets time pass, both for the workers and for due times in the database. */
  async pass(seconds: number): Promise<void> {
    this.clock += seconds * 1000;
    await pass(this.database, seconds);
    for (const provider of this.providers.values())
      if (provider.perSecond !== Infinity)
        provider.places = Math.min(provider.most, provider.places + provider.perSecond * seconds);
    for (const sleeper of [...this.sleepers]) if (sleeper.at <= this.clock) sleeper.wake();
  }

  end(): void {
    this.isOver = true;
    for (const { wake } of [...this.sleepers]) wake();
  }

  /**
   * When each account holder's mail to a provider was last served, as the product reads it to choose whom to serve
   * next.
   */
  async lastServed(domain: string, userIds: readonly string[]): Promise<Map<string, number>> {
    const found = await this.database.query<{ userId: string; at: number | null }>(
      `select h.user_id as "userId", extract(epoch from max(b.served_at))::float8 as at from delivery_backlogs b join email_history h on h.id = b.history_id
       where b.provider = $1 and h.user_id = any($2::uuid[]) and h.status = 'pending' and h.paused_at is null and h.cancelled_at is null and b.wake_at <= now()
       group by h.user_id`,
      [domain, userIds],
    );
    return new Map(found.map(({ userId, at }) => [userId, at ?? -Infinity]));
  }
}
