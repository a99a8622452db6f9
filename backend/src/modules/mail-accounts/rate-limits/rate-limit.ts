import { cautiousStart, credited, halved, type LearnedRate, rateOf } from './learned-rate.js';

/** State of one limiter; times in ms since 1970, 0: never. */
export interface LimiterState {
  /** Next free send time. */
  nextAt: number;
  usedAt: number;
  cutAt: number;
  /** No message may leave before this time. */
  pausedUntil: number;
  /** Share of the last seconds that granted send times covered; 1 at full use. */
  usedShare: number;
  learned: LearnedRate | null;
}

export interface SlotRequest {
  wanted: number;
  /** Limit from the settings in messages per second; Infinity: none. */
  most: number;
  /** Initial rate until one is learned; absent: only `most` applies. */
  start?: number;
  /** How far ahead a send time may be reserved, in ms. */
  lookaheadMs: number;
  /**
   * Length of one grant in ms under a limit from the settings, for callers that spread the messages; default: half a
   * second.
   */
  batchMs?: number;
}

export interface Reservation {
  granted: number;
  /** Ms until the first granted send time; negative if that time has passed because the stream is late. */
  startsInMs: number;
  /** Ms between two send times. */
  intervalMs: number;
  /** Ms until it is worth asking again, if nothing was granted. */
  retryInMs: number;
}

export const NEVER_USED: LimiterState = { nextAt: 0, usedAt: 0, cutAt: 0, pausedUntil: 0, usedShare: 0, learned: null };

/**
 * Length of one grant in ms. Grants under a learned rate are never longer, because the provider may cut the rate at any
 * moment.
 */
const BATCH_MS = 500;
/** A stream that is at most this late may still use its missed send times; after a longer silence they expire. */
const MAX_LATE_MS = 1_000;
/**
 * Maximum number and age of missed send times that may still be used under a learned rate. They go out as a burst,
 * which the provider counts.
 */
const MAX_LATE_SLOTS = 50;
const MAX_LATE_LEARNED_MS = 500;
/** Pause in ms after the first cut. Each refusal that comes right after a pause doubles the pause. */
const FIRST_CUT_PAUSE_MS = 1_000;
const MAX_CUT_PAUSE_MS = 60_000;
/**
 * A refusal after less use than this since the pause (seconds or messages, whichever takes longer) means that the
 * provider accepts nothing yet.
 */
const REFUSED_AGAIN_SECONDS = 3;
const REFUSED_AGAIN_MESSAGES = 3;

/**
 * Maximum ms by which the next free send time may lie ahead, not counting the messages reserved last. A time further
 * ahead means that the database's clock was set back, for example by a failover. Without this limit, the limiter would
 * stand still until the clock has caught up.
 */
const MAX_AHEAD_MS = 10_000;

/** Longest pause of a provider that refuses our mail by policy, in seconds. */
export const MAX_POLICY_PAUSE_SECONDS = 1_800;

/** Seconds over which the used share is averaged, because shorter bursts do not prove a rate. */
const USE_SECONDS = 10;
/** A rate with a lower used share counts as untested, so accepted mail does not raise it. */
const TRIED_SHARE = 0.5;

const NOTHING: Reservation = { granted: 0, startsInMs: 0, intervalMs: 0, retryInMs: 0 };

/**
 * Largest number of messages in one grant.
 * @param lateMs age of the grant's first send time
 */
export const batchOf = (rate: number, lateMs = 0, batchMs = BATCH_MS): number =>
  rate === Infinity ? Infinity : Math.max(1, Math.floor((rate * (batchMs + Math.max(0, lateMs))) / 1000));

/** The rate that currently applies, in messages per second. */
export const rateInForce = (
  { learned }: LimiterState,
  { most, start = Infinity }: Pick<SlotRequest, 'most' | 'start'>,
): number => Math.min(most, learned ? rateOf(learned) : start);

/** Reserves send times. The first one is in `startsInMs`; the others follow at intervals of `intervalMs`. */
export function reserve(
  before: LimiterState,
  request: SlotRequest,
  now: number,
): { state: LimiterState; reservation: Reservation } {
  const { wanted, most, start, lookaheadMs, batchMs } = request;
  const learned = before.learned ?? (start === undefined ? null : cautiousStart(start));
  const rate = rateInForce({ ...before, learned }, request);
  if (wanted <= 0) return { state: before, reservation: NOTHING };
  const isAhead = before.nextAt > Math.max(now, before.pausedUntil) + mostAheadMs(rate, learned !== null);
  const freeAt = isAhead ? now : before.nextAt;
  const lateMs = now - freeAt;
  const keptMs = learned ? Math.min(MAX_LATE_LEARNED_MS, MAX_LATE_SLOTS * rate) : MAX_LATE_MS;
  const begins = Math.max(freeAt > 0 && lateMs <= keptMs ? freeAt : now, before.pausedUntil);
  if (begins > now + lookaheadMs)
    return { state: before, reservation: { ...NOTHING, retryInMs: begins - now - lookaheadMs } };
  const granted = Math.min(wanted, batchOf(rate, now - begins, learned ? BATCH_MS : batchMs));
  const nextAt = rate === Infinity ? before.nextAt : begins + (granted * 1000) / rate;
  const { usedMs, usedShare } = useOf(before, { begins, nextAt }, now);
  const isOwnRate = learned !== null && rateOf(learned) <= most;
  const state: LimiterState = {
    ...before,
    usedAt: Math.max(now, before.pausedUntil),
    usedShare,
    learned: isOwnRate ? credited(learned, usedMs / 1000, usedShare >= TRIED_SHARE) : learned,
    nextAt,
  };
  return { state, reservation: { granted, startsInMs: begins - now, intervalMs: 1000 / rate, retryInMs: 0 } };
}

/**
 * Maximum ms by which the next free send time may lie ahead. A learned rate gets more room, because it may have been
 * far lower when the last messages were reserved.
 */
const mostAheadMs = (rate: number, isLearned: boolean): number =>
  MAX_AHEAD_MS + 2_000 / rate + (isLearned ? MAX_CUT_PAUSE_MS : 0);

/**
 * Measures how much of the time since the last grant is covered by send times, including the missed ones that this
 * grant makes up for.
 */
function useOf(
  { usedAt, nextAt, usedShare }: LimiterState,
  granted: { begins: number; nextAt: number },
  now: number,
): { usedMs: number; usedShare: number } {
  const passedMs = now - usedAt;
  if (usedAt === 0 || passedMs <= 0) return { usedMs: 0, usedShare };
  const coveredMs = Math.min(now, nextAt) - usedAt;
  const madeUpMs = Math.min(now, granted.nextAt) - granted.begins;
  const usedMs = Math.min(passedMs, Math.max(0, coveredMs) + Math.max(0, madeUpMs));
  const kept = Math.exp(-passedMs / 1000 / USE_SECONDS);
  return { usedMs, usedShare: kept * usedShare + (1 - kept) * (usedMs / passedMs) };
}

/**
 * Lowers the rate after a reply that asked for a lower rate, and pauses the provider. Ignores a refused message that was
 * begun (at `begunAt`) before the pause of the last cut ended, because its refusal says nothing new.
 * @param measured messages per second that the provider accepted recently
 */
export function cutRate(
  before: LimiterState,
  {
    begunAt,
    measured,
    most,
    start,
    floor,
  }: { begunAt: number; measured: number; most: number; start?: number; floor: number },
  now: number,
): LimiterState {
  const wasCut = before.cutAt > 0;
  if (wasCut && begunAt < before.pausedUntil) return before;
  const known =
    before.learned ??
    (start === undefined ? (most === Infinity ? null : cautiousStart(most)) : cautiousStart(Math.min(start, most)));
  const bounded = known && rateOf(known) > most ? { ...known, base: most, ceiling: most, goodSeconds: 0 } : known;
  const isAgain =
    wasCut &&
    before.learned !== null &&
    before.learned.goodSeconds < Math.max(REFUSED_AGAIN_SECONDS, REFUSED_AGAIN_MESSAGES / rateOf(before.learned));
  const lastPause = Math.min(MAX_CUT_PAUSE_MS, Math.max(FIRST_CUT_PAUSE_MS, before.pausedUntil - before.cutAt));
  const learned = halved(
    bounded,
    measured,
    floor,
    isAgain ? 1 + Math.floor(Math.log2(lastPause / FIRST_CUT_PAUSE_MS)) : 0,
  );
  const pausedUntil = now + (isAgain ? Math.min(MAX_CUT_PAUSE_MS, lastPause * 2) : FIRST_CUT_PAUSE_MS);
  return {
    ...before,
    learned,
    cutAt: now,
    usedAt: pausedUntil,
    // The refusal itself proves that the rate was used.
    usedShare: 1,
    pausedUntil,
    nextAt: Math.max(pausedUntil, now + 1000 / rateOf(learned)),
  };
}
