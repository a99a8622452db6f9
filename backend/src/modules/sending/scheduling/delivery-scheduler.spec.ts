import { describe, expect, it } from '@jest/globals';
import type { DeliveryQueue, LeasedRange } from './delivery-queue.service.js';
import { DeliveryScheduler, type Turn } from './delivery-scheduler.service.js';
import { SLOTS, type WaitingSend, type WaitingSends } from './fair-share.js';

const RANGE = 1_000;
/** Messages that one slot hands over in a second; slots do not slow each other down. */
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

/** The queue and its shares in memory, as PostgreSQL keeps them. */
class Queue {
  readonly sends: Send[] = [];
  readonly shares = new Map<string, { virtualTime: number; turnStarted: number }>();

  add(sendId: string, userId: string, recipients: number, acceptedAt = 0): Send {
    const send = { sendId, userId, recipients, next: 1, underWay: 0, acceptedAt, firstAt: Infinity, endedAt: Infinity };
    this.sends.push(send);
    return send;
  }

  delivered(userId: string, until = Infinity): number {
    return this.sends.filter((send) => send.userId === userId && send.acceptedAt <= until).reduce((sum, { next, underWay }) => sum + next - 1 - underWay, 0);
  }

  waiting(): Promise<WaitingSends> {
    const clock = Math.max(0, ...[...this.shares.values()].map(({ turnStarted }) => turnStarted));
    const first = new Map<string, WaitingSend & { reached: number }>();
    for (const { sendId, userId, recipients, next } of this.sends) {
      if (next > recipients) continue;
      const isSmall = recipients <= 200;
      const known = first.get(`${userId} ${isSmall}`);
      if (!known || next < known.reached) first.set(`${userId} ${isSmall}`, { sendId, userId, isSmall, virtualTime: this.shares.get(userId)?.virtualTime ?? 0, reached: next });
    }
    return Promise.resolve({ clock, sends: [...first.values()] });
  }

  lease(wanted: WaitingSend, start: number, lease: string): Promise<LeasedRange | undefined> {
    const send = this.sends.find(({ sendId }) => sendId === wanted.sendId)!;
    if (send.next > send.recipients) return Promise.resolve(undefined);
    const [from, to] = [send.next, Math.min(send.next + RANGE - 1, send.recipients)];
    send.next = to + 1;
    send.underWay += to - from + 1;
    const share = this.shares.get(send.userId) ?? { virtualTime: 0, turnStarted: 0 };
    this.shares.set(send.userId, { virtualTime: Math.max(share.virtualTime, start) + to - from + 1, turnStarted: Math.max(share.turnStarted, start) });
    return Promise.resolve({ sendId: send.sendId, userId: send.userId, from, to, lease, charged: to - from + 1, hasMore: send.next <= send.recipients });
  }
}

/** Workers by a clock of their own: a turn takes as long as its messages. */
class World {
  time = 0;
  readonly queue = new Queue();
  private readonly workers: DeliveryScheduler[];
  private running: { worker: DeliveryScheduler; turn: Turn; endsAt: number }[] = [];
  mostSlots = 0;

  constructor(workers: number) {
    const now = (): number => this.time;
    class ByClock extends DeliveryScheduler {
      protected override now(): number {
        return now();
      }
    }
    this.workers = Array.from({ length: workers }, () => new ByClock(this.queue as unknown as DeliveryQueue));
  }

  /** Lets the workers work until a moment; `arrivals` are accepted when their time comes. */
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

  private end(one: { worker: DeliveryScheduler; turn: Turn; endsAt: number }): void {
    const { range } = one.turn;
    const send = this.queue.sends.find(({ sendId }) => sendId === range.sendId)!;
    send.underWay -= range.to - range.from + 1;
    if (send.next > send.recipients && send.underWay === 0) send.endedAt = this.time;
    one.worker.ended(one.turn);
    this.running = this.running.filter((other) => other !== one);
  }

  private async fill(): Promise<void> {
    for (let isIdle = false; !isIdle; ) {
      isIdle = true;
      for (const worker of this.workers) {
        const turn = await worker.next(false);
        if (!turn) continue;
        isIdle = false;
        const { range } = turn;
        const send = this.queue.sends.find(({ sendId }) => sendId === range.sendId)!;
        send.firstAt = Math.min(send.firstAt, this.time);
        this.running.push({ worker, turn, endsAt: this.time + ((range.to - range.from + 1) * 1_000) / PER_SECOND });
        this.mostSlots = Math.max(this.mostSlots, this.running.length);
      }
    }
  }
}

describe('turns of account holders', () => {
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

  it('count messages and not turns: shares are the same where the ranges of one are short', async () => {
    const world = new World(1);
    for (let i = 0; i < 1_000; i++) world.queue.add(`short ${i}`, 'short', 300);
    world.queue.add('long', 'long', 300_000);
    await world.run(200_000);
    const [short, long] = [world.queue.delivered('short'), world.queue.delivered('long')];
    expect(Math.abs(short / (short + long) - 0.5)).toBeLessThan(0.01);
  });

  it('start a small send at once beside large ones that fill every worker, and a thousand of them within their own time', async () => {
    const world = new World(1);
    for (let i = 0; i < 4; i++) world.queue.add(`large ${i}`, `large ${i}`, 300_000);
    const small: Send[] = [];
    // 600 of 20 to 200 in a minute are half of what the worker's slots do.
    const arrivals = Array.from({ length: 600 }, (_, i) => ({ at: 1_000 + i * 100, accept: () => void small.push(world.queue.add(`small ${i}`, `user ${i}`, 20 + ((i * 37) % 181), world.time)) }));
    await world.run(120_000, arrivals);
    const waits = small.map(({ endedAt, acceptedAt }) => endedAt - acceptedAt).sort((a, b) => a - b);
    expect(waits).toHaveLength(600);
    expect(waits.at(-1)).toBeLessThan(3_000);
    expect(small[0]!.firstAt).toBe(small[0]!.acceptedAt);
    for (let i = 0; i < 4; i++) expect(world.queue.delivered(`large ${i}`)).toBeGreaterThan(25_000);
  });

  it('leave no large send without turns while one account starts small ones without end', async () => {
    const world = new World(1);
    const large = world.queue.add('large', 'large', 20_000);
    for (let i = 0; i < 3_000; i++) world.queue.add(`flood ${i}`, 'flood', 100);
    const other = { at: 5_000, accept: () => void world.queue.add('other', 'other', 100, world.time) };
    await world.run(30_000, [other]);
    expect(large.endedAt).toBeLessThan(21_000);
    // An account that comes later with one small send waits for none of theirs.
    expect(world.queue.sends.at(-1)!.endedAt).toBeLessThan(5_300);
  });

  it('let an account that had nothing to send save nothing up', async () => {
    const world = new World(1);
    world.queue.add('busy', 'busy', 500_000);
    await world.run(100_000);
    world.queue.add('late', 'late', 300_000, world.time);
    const before = world.queue.delivered('busy');
    await world.run(200_000);
    expect(Math.abs(world.queue.delivered('late') / (world.queue.delivered('busy') - before) - 1)).toBeLessThan(0.05);
  });

  it('give a large send that is alone every slot but the one that is kept for small ones', async () => {
    const world = new World(2);
    world.queue.add('alone', 'alone', 100_000);
    await world.run(10_000);
    expect(world.mostSlots).toBe(2 * SLOTS.large);
    expect(world.queue.delivered('alone')).toBeGreaterThanOrEqual(2 * SLOTS.large * 9_000);
  });
});
