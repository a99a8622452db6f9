import { describe, expect, it } from '@jest/globals';
import { type LimiterState, NEVER_USED, refuse, reserve } from '../src/modules/sending/throttling/rate-limit.js';
import { Pacer } from '../src/modules/sending/throttling/pacer.js';
import { randomOf } from './faults/kit/random.js';

const START = 1_800_000_000_000;
const FLOOR = 1 / 60;

/** Runs tasks in the order of their times. */
class Clock {
  now = START;
  private readonly heap: { at: number; order: number; run: () => void }[] = [];
  private order = 0;

  at(at: number, run: () => void): void {
    const task = { at: Math.max(at, this.now), order: this.order++, run };
    let i = this.heap.push(task) - 1;
    for (let up = (i - 1) >> 1; i > 0 && this.before(i, up); i = up, up = (i - 1) >> 1) this.swap(i, up);
  }

  runUntil(end: number): void {
    while (this.heap.length > 0 && this.heap[0]!.at <= end) {
      const first = this.heap[0]!;
      const last = this.heap.pop()!;
      if (this.heap.length > 0) {
        this.heap[0] = last;
        for (let i = 0; ; ) {
          const [left, right] = [2 * i + 1, 2 * i + 2];
          let least = i;
          if (left < this.heap.length && this.before(left, least)) least = left;
          if (right < this.heap.length && this.before(right, least)) least = right;
          if (least === i) break;
          this.swap(i, least);
          i = least;
        }
      }
      this.now = first.at;
      first.run();
    }
    this.now = end;
  }

  private before(a: number, b: number): boolean {
    const [one, other] = [this.heap[a]!, this.heap[b]!];
    return one.at < other.at || (one.at === other.at && one.order < other.order);
  }

  private swap(a: number, b: number): void {
    [this.heap[a], this.heap[b]] = [this.heap[b]!, this.heap[a]!];
  }
}

type Enforcement = (perSecond: number, now: () => number) => () => boolean;

/** How a provider may count what it takes. */
const ENFORCEMENTS: Record<string, Enforcement> = {
  'a bucket of one second': (rate, now) => bucket(rate, Math.max(2, rate), now),
  'a bucket of ten seconds': (rate, now) => bucket(rate, rate * 10, now),
  'windows of a second': (rate, now) => windows(rate, 1_000, now),
  'windows of ten seconds': (rate, now) => windows(rate * 10, 10_000, now),
  'the last ten seconds': (rate, now) => {
    const taken: number[] = [];
    let first = 0;
    return () => {
      while (first < taken.length && taken[first]! <= now() - 10_000) first++;
      if (taken.length - first >= rate * 10) return false;
      taken.push(now());
      return true;
    };
  },
};

function bucket(rate: number, most: number, now: () => number): () => boolean {
  let tokens = most;
  let at = now();
  return () => {
    tokens = Math.min(most, tokens + ((now() - at) / 1000) * rate);
    at = now();
    if (tokens < 1) return false;
    tokens--;
    return true;
  };
}

function windows(most: number, lengthMs: number, now: () => number): () => boolean {
  let [window, taken] = [0, 0];
  return () => {
    const current = Math.floor(now() / lengthMs);
    if (current !== window) [window, taken] = [current, 0];
    if (taken >= most) return false;
    taken++;
    return true;
  };
}

interface Conditions {
  perSecond: number;
  enforcement: Enforcement;
  workers: number;
  /** Milliseconds from a message's begin to its answer. */
  latencyMs: number;
  /** Longest that a worker is late at each of its steps, ms. */
  lateMs: number;
  seed: number;
}

/** Workers that share one limiter as the backlog dispatcher does, and a provider that enforces a rate. Any number of messages waits. */
class Simulation {
  readonly clock = new Clock();
  state: LimiterState = NEVER_USED;
  accepted = 0;
  refused = 0;
  private readonly random: () => number;
  private readonly admits: () => boolean;

  constructor(private readonly given: Conditions) {
    this.random = randomOf(given.seed);
    this.admits = given.enforcement(given.perSecond, () => this.clock.now);
    for (let i = 0; i < given.workers; i++) new Worker(this, given);
  }

  get late(): number {
    return this.random() * this.random() * this.given.lateMs;
  }

  /** A message begun now. @param told called with the answer */
  mail(told: (isTaken: boolean, begunAt: number) => void): void {
    const begunAt = this.clock.now;
    const latency = this.given.latencyMs * (0.7 + 0.6 * this.random());
    this.clock.at(begunAt + latency / 2, () => {
      const isTaken = this.admits();
      if (isTaken) this.accepted++;
      else this.refused++;
      this.clock.at(begunAt + latency, () => told(isTaken, begunAt));
    });
  }

  refuse(begunAt: number, measured: number): void {
    this.state = refuse(this.state, { begunAt, measured, most: Infinity, floor: FLOOR }, this.clock.now);
  }
}

/** Messages that one worker has under way at most, and that it takes at a time where no rate is known. */
const IN_FLIGHT = 20;
const UNLIMITED = 500;
const LOOKAHEAD_MS = 500;
/** A worker that was not refused itself learns of a rate by then. */
const LOOKS_AGAIN_MS = 2_000;

/** Hands over batch after batch. */
class Worker {
  private readonly connections: number;
  private underWay = 0;
  private inHand = 0;
  private pacer = new Pacer(0, 0, () => 0);
  private isLimited = false;
  private looksAt = 0;
  private isAsleep = false;
  /** A look, or the batch that it reserved, is still to come. */
  private isDue = true;
  private readonly taken: number[] = [];

  constructor(private readonly world: Simulation, { perSecond, latencyMs }: Conditions) {
    this.connections = Math.max(IN_FLIGHT, (3 * perSecond * latencyMs) / 1000);
    world.clock.at(START, () => this.look());
  }

  private look(): void {
    const { clock, late } = this.world;
    if (clock.now >= this.looksAt) {
      this.isLimited ||= this.world.state.learned !== null;
      this.looksAt = clock.now + LOOKS_AGAIN_MS;
    }
    if (!this.isLimited) return this.begin(UNLIMITED, 0, 0);
    const { state, reservation } = reserve(this.world.state, { most: Infinity, wanted: UNLIMITED, lookaheadMs: LOOKAHEAD_MS }, clock.now);
    const { granted, startsInMs, intervalMs, retryInMs } = reservation;
    if (granted === 0) return clock.at(clock.now + retryInMs + 5 + late, () => this.look());
    this.world.state = state;
    const reservedAt = clock.now;
    clock.at(clock.now + late, () => this.begin(granted, reservedAt + startsInMs - clock.now, intervalMs));
  }

  private begin(count: number, startsInMs: number, intervalMs: number): void {
    this.isDue = false;
    this.inHand = count;
    this.pacer = new Pacer(startsInMs, intervalMs, () => this.world.clock.now);
    this.next();
  }

  private next(): void {
    const { clock } = this.world;
    for (; this.inHand > 0 && this.underWay < this.connections; this.handOver()) {
      const wait = this.pacer.waitMs();
      if (wait <= 0) continue;
      if (!this.isAsleep) clock.at(clock.now + wait, () => ((this.isAsleep = false), this.next()));
      this.isAsleep = true;
      return;
    }
    if (this.inHand > 0 || this.isDue) return;
    this.isDue = true;
    clock.at(clock.now + 5 + this.world.late, () => this.look());
  }

  private handOver(): void {
    this.pacer.take();
    this.inHand--;
    this.underWay++;
    this.world.mail((isTaken, begunAt) => {
      this.underWay--;
      if (isTaken) this.taken.push(this.world.clock.now);
      else {
        this.isLimited = true;
        this.inHand = 0;
        this.world.refuse(begunAt, this.takenLately());
      }
      this.next();
    });
  }

  /** Messages a second over the last two seconds. */
  private takenLately(): number {
    const since = this.world.clock.now - 2_000;
    return (this.taken.length - 1 - this.taken.findLastIndex((at) => at <= since)) / 2;
  }
}

const CONDITIONS = [
  { workers: 1, latencyMs: 5, lateMs: 20 },
  { workers: 1, latencyMs: 300, lateMs: 100 },
  { workers: 3, latencyMs: 50, lateMs: 150 },
  { workers: 2, latencyMs: 1_000, lateMs: 100 },
];

/** Share of the rate that was taken, and share of the answers that were refusals, from then for some minutes. */
function measured(simulation: Simulation, fromSeconds: number, seconds: number, perSecond: number): { share: number; refused: number } {
  simulation.clock.runUntil(START + fromSeconds * 1000);
  const [taken, refused] = [simulation.accepted, simulation.refused];
  simulation.clock.runUntil(START + (fromSeconds + seconds) * 1000);
  const [takenSince, refusedSince] = [simulation.accepted - taken, simulation.refused - refused];
  return { share: takenSince / seconds / perSecond, refused: refusedSince / (takenSince + refusedSince) };
}

const enforced = Object.keys(ENFORCEMENTS).flatMap((counts) => [1, 2, 5, 10, 30, 100, 500].map((perSecond) => ({ counts, perSecond })));

describe('a provider that enforces a rate', () => {
  it.each(enforced)('of $perSecond a second by $counts is served with 0.8 of it after two minutes, and refuses less than 5 %', ({ counts, perSecond }) => {
    const isLarge = perSecond >= 500;
    for (const conditions of isLarge ? CONDITIONS.slice(2, 3) : CONDITIONS) {
      const found = measured(new Simulation({ ...conditions, perSecond, enforcement: ENFORCEMENTS[counts]!, seed: perSecond }), 120, isLarge ? 120 : 240, perSecond);
      expect({ conditions, ...found, isServed: found.share >= 0.8, isSeldomRefused: found.refused < 0.05 }).toMatchObject({ isServed: true, isSeldomRefused: true });
    }
  }, 60_000);

  it.each([[100, 10], [10, 100], [200, 5]])('that changes from %d to %d a second is served with 0.8 of the new rate two minutes later', (before, after) => {
    const enforcement: Enforcement = (_perSecond, now) => {
      const [first, second] = [bucket(before, before, now), bucket(after, Math.max(2, after), now)];
      return () => (now() < START + 300_000 ? first() : second());
    };
    const found = measured(new Simulation({ ...CONDITIONS[2]!, perSecond: Math.max(before, after), enforcement, seed: 1 }), 420, 240, after);
    expect(found.share).toBeGreaterThan(0.8);
    expect(found.refused).toBeLessThan(0.05);
  });

  it('that takes nothing for ten minutes is asked seldom meanwhile, and served again three minutes after', () => {
    const enforcement: Enforcement = (perSecond, now) => {
      const open = bucket(perSecond, perSecond, now);
      return () => (now() > START + 120_000 && now() < START + 720_000 ? false : open());
    };
    const simulation = new Simulation({ ...CONDITIONS[2]!, perSecond: 50, enforcement, seed: 1 });
    simulation.clock.runUntil(START + 120_000);
    const before = simulation.refused;
    simulation.clock.runUntil(START + 720_000);
    expect(simulation.refused - before).toBeLessThan(150);
    expect(measured(simulation, 960, 120, 50).share).toBeGreaterThan(0.8);
  });

  it('that closes for the rest of its window costs no more than a few seconds of it: its rate is not taken to be lower', () => {
    const simulation = new Simulation({ ...CONDITIONS[0]!, perSecond: 30, enforcement: ENFORCEMENTS['windows of ten seconds']!, seed: 1 });
    expect(measured(simulation, 60, 60, 30).share).toBeGreaterThan(0.8);
  });
});
