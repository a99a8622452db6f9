/**
 * The rate that a provider was found to take, learned from its answers: halved by a refusal, raised by time at full use.
 * Pure functions; times are seconds, rates messages a second.
 */
export interface LearnedRate {
  /** Rate right after the last cut. */
  base: number;
  /** Rate at which the provider last refused; null: not known yet, the rate doubles until it is refused. */
  ceiling: number | null;
  /** Seconds at full use since the last cut. */
  goodSeconds: number;
}

/** Seconds in which an unknown rate doubles. */
const DOUBLES_IN = 10;
/** Seconds in which a cut rate is back near its ceiling. */
const RECOVERS_IN = 20;
/** Share of the ceiling that is returned to quickly; beyond it the rate is probed slowly. */
const SAFE_SHARE = 0.95;
/** Share of the ceiling that a minute beyond recovery adds. */
const PROBE_PER_MINUTE = 0.02;
/** Seconds after which probing has added another half of the ceiling: a provider that became generous is found out. */
const PROBE_SECONDS = 600;
const HIGHEST = 100_000;
/** Where nothing was measured yet. */
const LEAST_START = 5;

/** The rate now. */
export function rateOf({ base, ceiling, goodSeconds }: LearnedRate): number {
  if (ceiling === null) return Math.min(HIGHEST, base * 2 ** Math.min(goodSeconds / DOUBLES_IN, 40));
  const safe = Math.max(base, ceiling * SAFE_SHARE);
  if (goodSeconds < RECOVERS_IN) return safe - (safe - base) * (1 - goodSeconds / RECOVERS_IN) ** 3;
  const beyond = goodSeconds - RECOVERS_IN;
  return Math.min(HIGHEST, safe + ceiling * (PROBE_PER_MINUTE * (beyond / 60) + 0.5 * (beyond / PROBE_SECONDS) ** 3));
}

/** A fixed start that is raised slowly, for an account whose standing with the provider is not known. */
export const cautiousStart = (rate: number): LearnedRate => ({ base: rate, ceiling: rate / SAFE_SHARE, goodSeconds: RECOVERS_IN });

/** After a refusal: half. @param measured what the provider took of late, the start where no rate was known. @param floor least rate */
export function halved(before: LearnedRate | null, measured: number, floor: number): LearnedRate {
  if (!before) return { base: Math.max(floor, Math.max(LEAST_START, measured) / 2), ceiling: null, goodSeconds: 0 };
  const refusedAt = rateOf(before);
  return { base: Math.max(floor, refusedAt / 2), ceiling: Math.max(floor, refusedAt), goodSeconds: 0 };
}

/** After time at full use without a refusal. */
export const credited = (before: LearnedRate, seconds: number): LearnedRate => ({ ...before, goodSeconds: before.goodSeconds + Math.min(Math.max(0, seconds), DOUBLES_IN) });
