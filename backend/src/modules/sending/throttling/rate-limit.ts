import { cautiousStart, credited, halved, type LearnedRate, rateOf } from './learned-rate.js';

/** State of one limiter; times in ms since 1970, 0: never. */
export interface LimiterState {
  /** When the next place begins. */
  nextAt: number;
  usedAt: number;
  cutAt: number;
  /** Nothing goes before. */
  pausedUntil: number;
  learned: LearnedRate | null;
}

export interface Request {
  wanted: number;
  /** Bound of the settings, messages a second; Infinity: none. */
  most: number;
  /** Rate to start with while none is learned; absent: only `most` holds. */
  start?: number;
  /** How far ahead a place may lie, in ms. */
  lookaheadMs: number;
}

export interface Reservation {
  granted: number;
  /** Milliseconds until the first of the granted places; negative where it has passed already, for a stream that is late. */
  startsInMs: number;
  /** Milliseconds from one place to the next. */
  intervalMs: number;
  /** Where nothing was granted: milliseconds until it is worth asking again. */
  retryInMs: number;
}

export const NEVER_USED: LimiterState = { nextAt: 0, usedAt: 0, cutAt: 0, pausedUntil: 0, learned: null };

/** Places are granted for half a second's worth of messages at a time. */
const BATCH_SECONDS = 0.5;
/** A stream that comes this late keeps its places; after a longer silence they are lost. */
const KEEPS_PLACE_MS = 1_000;
/** Of a provider that has refused only so many, and for so long, are kept: they go out at once, which it counts. */
const KEPT_PLACES = 50;
const KEEPS_LEARNED_MS = 500;
/** Nothing goes to a provider so long after it refused; twice as long each time that it refuses again at once. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A refusal so soon after the pause, in seconds at full use and in messages, says that the provider takes nothing yet. */
const AGAIN_SECONDS = 3;
const AGAIN_MESSAGES = 3;

const NOTHING: Reservation = { granted: 0, startsInMs: 0, intervalMs: 0, retryInMs: 0 };

/** Most places that are granted at a time. @param lateMs how long ago the first of them was */
export const batchOf = (rate: number, lateMs = 0): number => (rate === Infinity ? Infinity : Math.max(1, Math.floor(rate * (BATCH_SECONDS + Math.max(0, lateMs) / 1000))));

/** The rate in force. */
export const rateInForce = ({ learned }: LimiterState, { most, start = Infinity }: Pick<Request, 'most' | 'start'>): number => Math.min(most, learned ? rateOf(learned) : start);

/** Reserves places; the granted ones begin in `startsInMs` and follow each other by `intervalMs`. */
export function reserve(before: LimiterState, request: Request, now: number): { state: LimiterState; reservation: Reservation } {
  const { wanted, most, start, lookaheadMs } = request;
  const learned = before.learned ?? (start === undefined ? null : cautiousStart(start));
  const rate = rateInForce({ ...before, learned }, request);
  if (wanted <= 0) return { state: before, reservation: NOTHING };
  const lateMs = now - before.nextAt;
  const keptMs = learned ? Math.min(KEEPS_LEARNED_MS, KEPT_PLACES * rate) : KEEPS_PLACE_MS;
  const begins = Math.max(before.nextAt > 0 && lateMs <= keptMs ? before.nextAt : now, before.pausedUntil);
  if (begins > now + lookaheadMs) return { state: before, reservation: { ...NOTHING, retryInMs: begins - now - lookaheadMs } };
  const granted = Math.min(wanted, batchOf(rate, now - begins));
  const seconds = before.usedAt > 0 ? (now - before.usedAt) / 1000 : 0;
  const isFullUse = before.nextAt > 0 && lateMs <= KEEPS_PLACE_MS && (learned === null || rateOf(learned) <= most);
  const state: LimiterState = {
    ...before, usedAt: Math.max(now, before.usedAt), learned: learned && isFullUse ? credited(learned, seconds) : learned,
    nextAt: rate === Infinity ? before.nextAt : begins + (granted * 1000) / rate,
  };
  return { state, reservation: { granted, startsInMs: begins - now, intervalMs: 1000 / rate, retryInMs: 0 } };
}

/**
 * A message was refused for our rate. It was begun at `begunAt`; one that was begun before the pause after the last cut was over tells nothing new.
 * @param measured messages a second that were taken of late
 */
export function refuse(before: LimiterState, { begunAt, measured, most, start, floor }: { begunAt: number; measured: number; most: number; start?: number; floor: number }, now: number): LimiterState {
  const wasCut = before.cutAt > 0;
  if (wasCut && begunAt < before.pausedUntil) return before;
  const known = before.learned ?? (start === undefined ? (most === Infinity ? null : cautiousStart(most)) : cautiousStart(Math.min(start, most)));
  const bounded = known && rateOf(known) > most ? { ...known, base: most, ceiling: most, goodSeconds: 0 } : known;
  const isAgain = wasCut && before.learned !== null && before.learned.goodSeconds < Math.max(AGAIN_SECONDS, AGAIN_MESSAGES / rateOf(before.learned));
  const lastPause = Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, before.pausedUntil - before.cutAt));
  const learned = halved(bounded, measured, floor, isAgain ? 1 + Math.floor(Math.log2(lastPause / PAUSE_MS)) : 0);
  const pausedUntil = now + (isAgain ? Math.min(LONGEST_PAUSE_MS, lastPause * 2) : PAUSE_MS);
  return { ...before, learned, cutAt: now, usedAt: pausedUntil, pausedUntil, nextAt: Math.max(pausedUntil, now + 1000 / rateOf(learned)) };
}
