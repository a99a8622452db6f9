import { Pacer } from '../../src/modules/delivery/throttling/pacer.js';
import {
  type LimiterState,
  NEVER_USED,
  cutRate,
  reserve,
} from '../../src/modules/mail-accounts/rate-limits/rate-limit.js';
import { randomOf } from '../faults/kit/random.js';

/** Start time of every simulation. */
export const START = 1_800_000_000_000;
const FLOOR = 1 / 60;

/** A simulated clock. Runs tasks in the order of their times. */
export class Clock {
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
        for (let i = 0; ;) {
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

/** Creates a provider's check: whether it accepts a message now. */
export type Enforcement = (perSecond: number, now: () => number) => () => boolean;

/** Ways in which providers count accepted messages. */
export const ENFORCEMENTS: Record<string, Enforcement> = {
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

/** A token bucket that holds at most `most` tokens and gains `rate` tokens a second. */
export function bucket(rate: number, most: number, now: () => number): () => boolean {
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

export interface Conditions {
  perSecond: number;
  enforcement: Enforcement;
  workers: number;
  /** Time in ms from the start of a message to its answer. */
  latencyMs: number;
  /** Maximum delay of a worker at each step, in ms. */
  lateMs: number;
  seed: number;
}

/**
 * Workers that share one limiter in the same way as the backlog dispatcher, and a provider that enforces a rate. The
 * supply of waiting messages is unlimited.
 */
export class Simulation {
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

  /** Starts a message. @param told called with the answer */
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
    this.state = cutRate(this.state, { begunAt, measured, most: Infinity, floor: FLOOR }, this.clock.now);
  }
}

/** IN_FLIGHT: most messages in flight per worker. UNLIMITED: most messages of a batch while no rate is known. */
const IN_FLIGHT = 20;
const UNLIMITED = 500;
const LOOKAHEAD_MS = 500;
/** Interval in ms after which other workers learn of a changed rate. */
const LOOKS_AGAIN_MS = 2_000;

/** A worker that dispatches one batch after another. */
class Worker {
  private readonly connections: number;
  private underWay = 0;
  private inHand = 0;
  private pacer = new Pacer(0, 0, () => 0);
  private isLimited = false;
  private looksAt = 0;
  private isAsleep = false;
  /** Whether a check, or the batch that it reserved, is still pending. */
  private isDue = true;
  private readonly taken: number[] = [];

  constructor(
    private readonly world: Simulation,
    { perSecond, latencyMs }: Conditions,
  ) {
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
    const { state, reservation } = reserve(
      this.world.state,
      { most: Infinity, wanted: UNLIMITED, lookaheadMs: LOOKAHEAD_MS },
      clock.now,
    );
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
