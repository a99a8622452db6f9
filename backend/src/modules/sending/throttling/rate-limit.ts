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
  /** Milliseconds until the first of the granted places. */
  delayMs: number;
  /** Where nothing was granted: milliseconds until it is worth asking again. */
  retryInMs: number;
}

export const NEVER_USED: LimiterState = { nextAt: 0, usedAt: 0, cutAt: 0, pausedUntil: 0, learned: null };

/** Places are granted for half a second's worth of messages at a time. */
const BATCH_SECONDS = 0.5;
/** A stream that comes this late keeps its places; after a longer silence they are lost. */
const KEEPS_PLACE_MS = 1_000;
/** Refusals of messages that were begun before a cut, or this soon after it, do not cut again. */
const SETTLES_MS = 2_000;
/** Nothing goes to a provider so long after it refused. */
const REST_MS = 1_000;

/** Most places that are granted at a time. */
export const batchOf = (rate: number): number => (rate === Infinity ? Infinity : Math.max(1, Math.floor(rate * BATCH_SECONDS)));

/** The rate in force. */
export const rateInForce = ({ learned }: LimiterState, { most, start = Infinity }: Pick<Request, 'most' | 'start'>): number => Math.min(most, learned ? rateOf(learned) : start);

/** Reserves places; the granted ones begin after `delayMs` and follow each other at the rate in force. */
export function reserve(before: LimiterState, request: Request, now: number): { state: LimiterState; reservation: Reservation } {
  const { wanted, most, start, lookaheadMs } = request;
  const learned = before.learned ?? (start === undefined ? null : cautiousStart(start));
  const rate = rateInForce({ ...before, learned }, request);
  if (wanted <= 0) return { state: before, reservation: { granted: 0, delayMs: 0, retryInMs: 0 } };
  const inUse = before.nextAt >= now - KEEPS_PLACE_MS;
  const begins = Math.max(inUse ? before.nextAt : now, before.pausedUntil);
  if (begins > now + lookaheadMs) return { state: before, reservation: { granted: 0, delayMs: 0, retryInMs: begins - now - lookaheadMs } };
  const granted = Math.min(wanted, batchOf(rate));
  const seconds = before.usedAt > 0 ? (now - before.usedAt) / 1000 : 0;
  const isFullUse = inUse && before.nextAt > 0 && (learned === null || rateOf(learned) <= most);
  const state: LimiterState = {
    ...before, usedAt: now, learned: learned && isFullUse ? credited(learned, seconds) : learned,
    nextAt: rate === Infinity ? before.nextAt : begins + (granted * 1000) / rate,
  };
  return { state, reservation: { granted, delayMs: Math.max(0, begins - now), retryInMs: 0 } };
}

/** A message that was begun at `begunAt` was refused for our rate. @param measured messages a second that were taken of late */
export function refuse(before: LimiterState, { begunAt, measured, most, start, floor }: { begunAt: number; measured: number; most: number; start?: number; floor: number }, now: number): LimiterState {
  if (begunAt < before.cutAt + SETTLES_MS && before.cutAt > 0) return before;
  const known = before.learned ?? (start === undefined ? (most === Infinity ? null : cautiousStart(most)) : cautiousStart(Math.min(start, most)));
  const bounded = known && rateOf(known) > most ? { ...known, base: most, ceiling: most, goodSeconds: 0 } : known;
  const learned = halved(bounded, measured, floor);
  return { ...before, learned, cutAt: now, usedAt: now, nextAt: now + Math.max(REST_MS, 1000 / rateOf(learned)) };
}
