import { describe, expect, it } from '@jest/globals';
import type { BacklogSlice, LeasedBacklog } from './delivery-backlogs.service.js';
import { DeliveryTuning } from '../../delivery-tuning.js';
import type { Pacer } from '../pacer.js';
import { type LimiterState, NEVER_USED, reserve } from '../../../mail-accounts/index.js';
import { AttachmentsUnavailable } from '../../message/attachment-encoder.service.js';
import { BacklogDispatcher } from './backlog-dispatcher.service.js';
import type { PendingCounter } from '../../batches/in-flight-message.js';

const TURN_MS = 15;

/** A dispatcher with a simulated clock and backlogs in memory. Every step takes a little simulated time. */
class World extends BacklogDispatcher {
  time = 1_800_000_000_000;
  readonly mailed = new Map<string, number[]>();
  readonly ended: string[] = [];
  steps = 0;

  static of(
    sends: Record<string, number>,
    perSecond: number,
    refuses: (position: number) => boolean = () => false,
    lacksFiles: (sendId: string, time: number) => boolean = () => false,
  ): World {
    let cutAt = -1;
    const backlogs = new Map(
      Object.entries(sends).map(([sendId, waiting]) => [
        sendId,
        { sendId, waiting, next: 1, servedAt: 0, wakeAt: 0, leased: false },
      ]),
    );
    let state: LimiterState = NEVER_USED;
    const world: World = new World(
      {
        providers: () =>
          Promise.resolve(backlogs.size > 0 ? { waiting: ['google'], due: ['google'] } : { waiting: [], due: [] }),
        lease: (_provider: string, most: number): Promise<LeasedBacklog[]> => {
          world.steps++;
          world.time += TURN_MS;
          const found = [...backlogs.values()]
            .filter(({ leased, wakeAt }) => !leased && wakeAt <= world.time)
            .sort((a, b) => a.servedAt - b.servedAt)
            .slice(0, most);
          for (const one of found) one.leased = true;
          return Promise.resolve(found.map(({ sendId, waiting }) => ({ sendId, userId: sendId, waiting })));
        },
        release: (_provider: string, ids: readonly string[]) => {
          for (const id of ids) backlogs.get(id)!.leased = false;
          return Promise.resolve();
        },
        next: (sendId: string, _provider: string, most: number): Promise<BacklogSlice> => {
          const { next, waiting } = backlogs.get(sendId)!;
          return Promise.resolve({
            partId: sendId,
            taken: next - 1,
            positions: Array.from({ length: Math.min(most, waiting) }, (_, i) => next + i),
          });
        },
        served: (sendId: string, _provider: string, _slice: BacklogSlice, count: number) => {
          const one = backlogs.get(sendId)!;
          Object.assign(one, {
            waiting: one.waiting - count,
            next: one.next + count,
            servedAt: world.time,
            leased: false,
          });
          return Promise.resolve(one.waiting <= 0);
        },
        postpone: (sendId: string, _provider: string, seconds: number) => {
          backlogs.get(sendId)!.wakeAt = world.time + seconds * 1000;
          return Promise.resolve();
        },
        removeEmpty: (sendId: string) => {
          backlogs.delete(sendId);
          world.ended.push(sendId);
          return Promise.resolve();
        },
      } as never,
      { hold: () => () => undefined } as never,
      {
        providerOf: () => 'google',
        isCutSince: (_recipient: object, since: number) => cutAt >= since,
        setBacklogged: () => undefined,
        onRoom: () => undefined,
        accountInUse: 'account',
        reserveFor: (_provider: string, wanted: number, ahead: { lookaheadMs: number; batchMs: number }) => {
          const answer = reserve(state, { wanted, most: perSecond, ...ahead }, world.time);
          state = answer.state;
          return Promise.resolve(answer.reservation);
        },
      } as never,
      {
        peekAt: (_sendId: string, positions: number[]) =>
          Promise.resolve(positions.map((position) => ({ position, domain: 'gmail.com', provider: '' }))),
      } as never,
      { load: (sendId: string) => Promise.resolve({ id: sendId }) } as never,
      {
        isInTrouble: false,
        deliver: async (
          { id }: { id: string },
          claims: unknown[],
          _stopping: unknown,
          _underWay: PendingCounter,
          pacer: Pacer,
        ) => {
          world.time += TURN_MS;
          if (lacksFiles(id, world.time)) throw new AttachmentsUnavailable();
          const times = world.mailed.get(id) ?? [];
          for (let i = 0; i < claims.length; i++) {
            if (pacer.waitMs() > 0) await world.sleep(pacer.waitMs());
            pacer.take();
            times.push(world.time);
          }
          world.mailed.set(id, times);
          if (refuses(times.length)) cutAt = performance.now();
          return { parked: [], undecidedFrom: Infinity };
        },
      } as never,
      { largest: Infinity, heldForMs: () => 0 } as never,
      { heldForMs: () => 0 } as never,
      { announceDue: () => Promise.resolve(true), scheduleRetry: () => Promise.resolve() } as never,
      { finalizeIfDone: () => Promise.resolve() } as never,
      new DeliveryTuning(),
    );
    return world;
  }

  protected override now(): number {
    return this.time;
  }

  protected override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (this.isOver) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper = { at: this.time + ms, resolve };
      this.sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        this.sleepers.delete(sleeper);
        resolve();
      });
    });
  }

  /** Runs until the expected number of sends has ended. @returns seconds on the simulated clock */
  async through(): Promise<number> {
    const start = this.time;
    this.onApplicationBootstrap();
    while (this.ended.length < this.expectedEnds) {
      await new Promise((resolve) => setImmediate(resolve));
      const [next] = [...this.sleepers].sort((a, b) => a.at - b.at);
      if (!next) continue;
      this.sleepers.delete(next);
      this.time = Math.max(this.time, next.at);
      next.resolve();
    }
    const passed = (this.time - start) / 1000;
    this.isOver = true;
    const stopped = this.beforeApplicationShutdown();
    for (const { resolve } of this.sleepers) resolve();
    await stopped;
    return passed;
  }

  private readonly sleepers = new Set<{ at: number; resolve: () => void }>();

  expectedEnds = 1;
  private isOver = false;
}

describe('a backlog', () => {
  it('of 100,000 at 10 a second is delivered after 10,000 seconds, within 2 %, with at most two queries a second', async () => {
    const world = World.of({ a: 100_000 }, 10);
    const seconds = await world.through();
    expect(world.mailed.get('a')).toHaveLength(100_000);
    expect(seconds / 10_000).toBeGreaterThan(0.98);
    expect(seconds / 10_000).toBeLessThan(1.02);
    expect(world.steps / seconds).toBeLessThan(4.1);
  }, 120_000);

  it('whose attached files cannot be read rests for a while and holds up no other', async () => {
    let back = Infinity;
    const world = World.of(
      { attached: 100, other: 600 },
      10,
      () => false,
      (sendId, time) => sendId === 'attached' && time < back,
    );
    back = world.time + 50_000;
    const start = world.time;
    world.expectedEnds = 2;
    await world.through();
    const [attached, other] = ['attached', 'other'].map((id) => world.mailed.get(id)!);
    expect([attached!.length, other!.length]).toEqual([100, 600]);
    expect(attached![0]! - start).toBeGreaterThanOrEqual(50_000);
    expect(attached![0]! - start).toBeLessThan(85_000);
    // While the send with attachments rested, nearly all of the rate went to the other send.
    expect(other!.filter((time) => time < back).length).toBeGreaterThan(400);
  });

  it("shares its provider's rate between sends: a small one does not wait for a large one", async () => {
    const world = World.of({ large: 50_000, small: 50 }, 10);
    world.expectedEnds = 1;
    const seconds = await world.through();
    expect(world.ended).toEqual(['small']);
    expect(seconds).toBeLessThan(15);
  }, 60_000);
});

describe('the backlogs that a worker has leased together', () => {
  it('are served small ones first: each waits for its send times, and a small one waits for no large one', async () => {
    const world = World.of({ large: 50_000, small: 50, larger: 90_000, smaller: 3 }, 100_000);
    await world.serve('google');
    expect([...world.mailed.keys()]).toEqual(['small', 'smaller', 'large', 'larger']);
  });
});

describe('a rate that is cut while slots are reserved', () => {
  it('cancels the reservation: sends not served yet wait for the new rate', async () => {
    const world = World.of(
      Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`send ${i}`, 100])),
      100_000,
      () => true,
    );
    await world.serve('google');
    expect([...world.mailed.keys()]).toEqual(['send 0']);
    await world.serve('google');
    expect([...world.mailed.keys()]).toEqual(['send 0', 'send 1']);
  });
});
