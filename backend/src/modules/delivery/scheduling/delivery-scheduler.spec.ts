import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RangeLeases, LeasedRange } from './range-leases.service.js';
import { DeliveryScheduler, type Slice } from './delivery-scheduler.service.js';
import { HEAD_START, MAX_LEAD, SLOTS, type WaitingSend, type WaitingSends } from './fair-share.js';

const RANGE = 1_000;
/** Messages per second that one slot sends. Slots do not slow each other down. */
const PER_SECOND = 1_000;

interface Send {
  sendId: string;
  userId: string;
  recipients: number;
  next: number;
  underWay: number;
  acceptedAt: number;
  firstAt: number;
  endedAt: number;
}

/** Simulates in memory the queue and the shares that PostgreSQL keeps. */
class Queue {
  readonly sends: Send[] = [];
  readonly shares = new Map<string, { virtualTime: number; turnStarted: number }>();

  add(sendId: string, userId: string, recipients: number, acceptedAt = 0): Send {
    const send = { sendId, userId, recipients, next: 1, underWay: 0, acceptedAt, firstAt: Infinity, endedAt: Infinity };
    this.sends.push(send);
    return send;
  }

  /** Number of messages in the account's slices so far, including running slices. */
  taken(userId: string): number {
    return this.sends.filter((send) => send.userId === userId).reduce((sum, { next }) => sum + next - 1, 0);
  }

  delivered(userId: string, until = Infinity): number {
    return this.sends
      .filter((send) => send.userId === userId && send.acceptedAt <= until)
      .reduce((sum, { next, underWay }) => sum + next - 1 - underWay, 0);
  }

  waiting(): Promise<WaitingSends> {
    const first = new Map<string, WaitingSend & { reached: number }>();
    const active = new Set<string>();
    for (const { sendId, userId, recipients, next, underWay } of this.sends) {
      if (next <= recipients || underWay > 0) active.add(userId);
      if (next > recipients) continue;
      const isSmall = recipients <= 200;
      const known = first.get(`${userId} ${isSmall}`);
      if (!known || next < known.reached)
        first.set(`${userId} ${isSmall}`, {
          sendId,
          userId,
          isSmall,
          virtualTime: this.shares.get(userId)?.virtualTime ?? 0,
          reached: next,
        });
    }
    const former = Math.max(0, ...[...this.shares.values()].map(({ turnStarted }) => turnStarted));
    const lowest = Math.min(...[...active].map((userId) => this.shares.get(userId)?.virtualTime ?? 0));
    return Promise.resolve({ clock: active.size > 0 ? Math.max(former, lowest) : former, sends: [...first.values()] });
  }

  lease(wanted: WaitingSend, clock: number, lease: string): Promise<LeasedRange | undefined> {
    const send = this.sends.find(({ sendId }) => sendId === wanted.sendId)!;
    if (send.next > send.recipients) return Promise.resolve(undefined);
    const [from, to] = [send.next, Math.min(send.next + RANGE - 1, send.recipients)];
    send.next = to + 1;
    send.underWay += to - from + 1;
    const share = this.shares.get(send.userId) ?? { virtualTime: 0, turnStarted: 0 };
    const start = Math.min(Math.max(share.virtualTime, clock), clock + MAX_LEAD);
    this.shares.set(send.userId, {
      virtualTime: start + to - from + 1,
      turnStarted: Math.max(share.turnStarted, clock),
    });
    return Promise.resolve({
      sendId: send.sendId,
      userId: send.userId,
      from,
      to,
      lease,
      charged: to - from + 1,
      hasMore: send.next <= send.recipients,
    });
  }
}

/** Workers with a simulated clock: a slice takes as long as its messages. */
class World {
  time = 0;
  readonly queue = new Queue();
  private readonly workers: DeliveryScheduler[];
  private running: { worker: DeliveryScheduler; slice: Slice; endsAt: number }[] = [];
  mostSlots = 0;
  /** Most slices that ran on one worker at once, plus one if it reported a free slot. */
  mostAskedFor = 0;

  constructor(workers: number) {
    const now = (): number => this.time;
    class ByClock extends DeliveryScheduler {
      protected override now(): number {
        return now();
      }
    }
    this.workers = Array.from({ length: workers }, () => new ByClock(this.queue as unknown as RangeLeases));
  }

  /** Runs the workers until a time, and accepts each of `arrivals` when its time comes. */
  async run(untilMs: number, arrivals: { at: number; accept: () => void }[] = []): Promise<void> {
    const left = [...arrivals].sort((a, b) => a.at - b.at);
    await this.fill();
    for (;;) {
      const next = Math.min(left[0]?.at ?? Infinity, ...this.running.map(({ endsAt }) => endsAt));
      if (next > untilMs) return;
      this.time = next;
      while (left[0] && left[0].at <= next) left.shift()!.accept();
      for (const one of this.running.filter(({ endsAt }) => endsAt <= next)) this.end(one);
      await this.fill();
    }
  }

  private end(one: { worker: DeliveryScheduler; slice: Slice; endsAt: number }): void {
    const { range } = one.slice;
    const send = this.queue.sends.find(({ sendId }) => sendId === range.sendId)!;
    send.underWay -= range.to - range.from + 1;
    if (send.next > send.recipients && send.underWay === 0) send.endedAt = this.time;
    one.worker.ended(one.slice);
    this.running = this.running.filter((other) => other !== one);
  }

  private async fill(): Promise<void> {
    for (let isIdle = false; !isIdle;) {
      isIdle = true;
      for (const worker of this.workers) {
        const slice = await worker.next(false);
        if (!slice) continue;
        isIdle = false;
        const { range } = slice;
        const send = this.queue.sends.find(({ sendId }) => sendId === range.sendId)!;
        send.firstAt = Math.min(send.firstAt, this.time);
        this.running.push({ worker, slice, endsAt: this.time + ((range.to - range.from + 1) * 1_000) / PER_SECOND });
        const ofWorker = this.running.filter((one) => one.worker === worker).length;
        this.mostAskedFor = Math.max(this.mostAskedFor, ofWorker + (slice.hasRoomForMore ? 1 : 0));
        this.mostSlots = Math.max(this.mostSlots, this.running.length);
      }
    }
  }
}

describe('slices shared between account holders', () => {
  it('give an account with a hundred large sends the share of one', async () => {
    const world = new World(2);
    for (let i = 0; i < 100; i++) world.queue.add(`many ${i}`, 'many', 20_000);
    for (const user of ['one', 'two', 'three']) world.queue.add(user, user, 300_000);
    await world.run(200_000);
    const delivered = ['many', 'one', 'two', 'three'].map((user) => world.queue.delivered(user));
    const all = delivered.reduce((sum, n) => sum + n, 0);
    expect(all).toBeGreaterThan(780_000);
    for (const one of delivered) expect(Math.abs(one / all - 0.25)).toBeLessThan(0.01);
  });

  it('are shared by messages and not by slices: an account with short ranges gets the same share', async () => {
    const world = new World(1);
    for (let i = 0; i < 1_000; i++) world.queue.add(`short ${i}`, 'short', 300);
    world.queue.add('long', 'long', 300_000);
    await world.run(200_000);
    const [short, long] = [world.queue.delivered('short'), world.queue.delivered('long')];
    expect(Math.abs(short / (short + long) - 0.5)).toBeLessThan(0.01);
  });

  it('give a third account with large sends as much as each of two others, beside many accounts with small sends', async () => {
    const world = new World(1);
    for (const user of ['one', 'two', 'three']) world.queue.add(user, user, 300_000);
    // Each account has more small sends than can be sent; together they would fill every slot.
    for (let i = 0; i < 20; i++) for (let n = 0; n < 200; n++) world.queue.add(`small ${i} ${n}`, `small ${i}`, 150);
    await world.run(200_000);
    const delivered = ['one', 'two', 'three', ...Array.from({ length: 20 }, (_, i) => `small ${i}`)].map((user) =>
      world.queue.taken(user),
    );
    expect(Math.max(...delivered) - Math.min(...delivered)).toBeLessThanOrEqual(HEAD_START + RANGE);
  });

  it('give all waiting accounts the same, for any mix of sends and any number of workers', async () => {
    const account = fc.record({
      isSmall: fc.boolean(),
      hasBoth: fc.boolean(),
      size: fc.integer({ min: 20, max: 200 }),
      range: fc.integer({ min: 300, max: RANGE }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(account, { minLength: 2, maxLength: 12 }),
        fc.integer({ min: 1, max: 3 }),
        async (accounts, workers) => {
          const world = new World(workers);
          const users = accounts.map((_, i) => `user ${i}`);
          for (const [i, { isSmall, hasBoth, size, range }] of accounts.entries()) {
            // Enough sends, of one range or of many, that no account runs out.
            for (let n = 0; (isSmall || hasBoth) && n < 400; n++) world.queue.add(`small ${i} ${n}`, users[i]!, size);
            for (let n = 0; (!isSmall || hasBoth) && n < 40; n++)
              world.queue.add(`large ${i} ${n}`, users[i]!, n % 2 ? range : 20_000);
          }
          await world.run(Math.min(...accounts.map(({ isSmall, size }) => (isSmall ? size * 400 : 400_000))) / 9);
          const taken = users.map((user) => world.queue.taken(user));
          expect(Math.max(...taken) - Math.min(...taken)).toBeLessThanOrEqual(HEAD_START + RANGE);
        },
      ),
      { numRuns: 40, seed: 7 },
    );
  });

  it('start a small send at once beside large ones on every worker, and a thousand small ones in the time they take themselves', async () => {
    const world = new World(1);
    for (let i = 0; i < 4; i++) world.queue.add(`large ${i}`, `large ${i}`, 300_000);
    const small: Send[] = [];
    // In one minute, 600 sends of 20 to 200 messages use half of the slots' capacity.
    const arrivals = Array.from({ length: 600 }, (_, i) => ({
      at: 1_000 + i * 100,
      accept: () => void small.push(world.queue.add(`small ${i}`, `user ${i}`, 20 + ((i * 37) % 181), world.time)),
    }));
    await world.run(120_000, arrivals);
    const waits = small.map(({ endedAt, acceptedAt }) => endedAt - acceptedAt).sort((a, b) => a - b);
    expect(waits).toHaveLength(600);
    expect(waits.at(-1)).toBeLessThan(3_000);
    expect(small[0]!.firstAt).toBe(small[0]!.acceptedAt);
    for (let i = 0; i < 4; i++) expect(world.queue.delivered(`large ${i}`)).toBeGreaterThan(25_000);
  });

  it('keep serving a large send while another account starts small ones without end', async () => {
    const world = new World(1);
    const large = world.queue.add('large', 'large', 20_000);
    for (let i = 0; i < 3_000; i++) world.queue.add(`flood ${i}`, 'flood', 100);
    const other = { at: 5_000, accept: () => void world.queue.add('other', 'other', 100, world.time) };
    await world.run(30_000, [other]);
    expect(large.endedAt).toBeLessThan(21_000);
    // An account that arrives later with one small send does not wait for the others.
    expect(world.queue.sends.at(-1)!.endedAt).toBeLessThan(5_300);
  });

  it('give an idle account no credit', async () => {
    const world = new World(1);
    world.queue.add('busy', 'busy', 500_000);
    await world.run(100_000);
    world.queue.add('late', 'late', 300_000, world.time);
    const before = world.queue.delivered('busy');
    await world.run(200_000);
    expect(Math.abs(world.queue.delivered('late') / (world.queue.delivered('busy') - before) - 1)).toBeLessThan(0.05);
  });

  it('never take or request more slices on a worker than it has slots', async () => {
    const world = new World(1);
    for (let i = 0; i < 50; i++) world.queue.add(`small ${i}`, `user ${i}`, 100);
    await world.run(2_000);
    expect(world.mostSlots).toBe(SLOTS.all);
    expect(world.mostAskedFor).toBe(SLOTS.all);
  });

  it('give a single large send every slot except the one reserved for small sends', async () => {
    const world = new World(2);
    world.queue.add('alone', 'alone', 100_000);
    await world.run(10_000);
    expect(world.mostSlots).toBe(2 * SLOTS.large);
    expect(world.queue.delivered('alone')).toBeGreaterThanOrEqual(2 * SLOTS.large * 9_000);
  });
});
