import { ConfiguredAccountRate } from '../../src/modules/delivery/throttling/configured-account-rate.service.js';
import type { Asker } from '../../src/modules/delivery/throttling/send-time-queue.js';
import {
  type LimiterState,
  NEVER_USED,
  reserve,
  type SlotRequest,
} from '../../src/modules/mail-accounts/rate-limits/rate-limit.js';
import { Clock, START } from './rate-simulation.js';

export const ACCOUNT = 'account';
export const GROUP = 5;

/** One worker that sends at a limited rate, on a simulated clock. A reservation takes 3 ms of simulated time. */
export class World extends ConfiguredAccountRate {
  readonly clock: Clock;
  /** Times in seconds since the start at which messages left, by sender. */
  readonly left = new Map<string, number[]>();
  reservations = 0;
  isFailing = false;

  static of(settings: { sendRate: number; accountRate?: number }): World {
    const clock = new Clock();
    const states = new Map<string, LimiterState>();
    const world: World = new World(clock, settings.sendRate, settings.accountRate, {
      reserve: async (account: string, [request]: SlotRequest[]) => {
        world.reservations++;
        await new Promise<void>((go) => clock.at(clock.now + 3, go));
        if (world.isFailing) throw new Error('the database does not answer');
        const found = reserve(states.get(account) ?? NEVER_USED, request!, clock.now);
        states.set(account, found.state);
        return new Map([['*', found.reservation]]);
      },
    });
    return world;
  }

  private constructor(clock: Clock, sendRate: number, rate: number | undefined, limiter: object) {
    super(
      { sendRate } as never,
      limiter as never,
      { rateOf: (account: string) => (account === ACCOUNT ? rate : undefined), rateOfFirst: rate } as never,
    );
    this.clock = clock;
  }

  protected override now(): number {
    return this.clock.now;
  }

  protected override sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        signal.removeEventListener('abort', end);
        resolve();
      };
      this.clock.at(this.clock.now + ms, end);
      signal.addEventListener('abort', end);
    });
  }

  /** Sends batch after batch, as a range or a backlog does: the next batch is requested when one leaves. */
  async send(name: string, messages: number, asker: Asker, account = ACCOUNT): Promise<void> {
    for (let sent = 0; sent < messages; sent += GROUP) {
      const at = await this.take(account, Math.min(GROUP, messages - sent), asker);
      if (at === undefined) return;
      await this.until(at);
      this.left.set(name, [
        ...(this.left.get(name) ?? []),
        ...Array.from({ length: GROUP }, () => (this.clock.now - START) / 1000),
      ]);
    }
  }

  /** Lets time pass; promises settle between two steps of the clock. */
  async run(untilSeconds: number): Promise<void> {
    const end = START + untilSeconds * 1000;
    while (this.clock.now < end) {
      this.clock.runUntil(Math.min(end, this.clock.now + 5));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Number of messages of these senders that left between two times in seconds. */
  count(prefix: string, from: number, to: number): number {
    return [...this.left]
      .filter(([name]) => name.startsWith(prefix))
      .flatMap(([, times]) => times)
      .filter((at) => at >= from && at < to).length;
  }
}
