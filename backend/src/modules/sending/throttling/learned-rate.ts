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
const RECOVERS_IN = 6;
/** Share of the ceiling that is returned to quickly, and kept for so many seconds and messages: each further refusal costs messages. */
const SAFE_SHARE = 0.95;
const KEPT_SECONDS = 20;
const KEPT_MESSAGES = 60;
/** Then the rate doubles in so many seconds, until the provider refuses: it may take more by now, or the ceiling was too low. */
const PROBE_DOUBLES_IN = 30;
/** A rate that was never refused is raised slowly: by this share of the start a minute, and by half of it in so many seconds. */
const UNREFUSED_PER_MINUTE = 0.02;
const UNREFUSED_SECONDS = 600;
/** After so many refusals in a row nothing is known of the provider's rate any more. */
const FORGOTTEN_AFTER = 3;
const HIGHEST = 100_000;
/** Where nothing was measured yet. */
const LEAST_START = 5;

/** The rate now. */
export function rateOf({ base, ceiling, goodSeconds }: LearnedRate): number {
  if (ceiling === null) return Math.min(HIGHEST, base * 2 ** Math.min(goodSeconds / DOUBLES_IN, 40));
  const safe = Math.max(base, ceiling * SAFE_SHARE);
  if (goodSeconds < RECOVERS_IN) return safe - (safe - base) * (1 - goodSeconds / RECOVERS_IN) ** 3;
  if (base === safe) return Math.min(HIGHEST, base + ceiling * (UNREFUSED_PER_MINUTE * (goodSeconds / 60) + 0.5 * (goodSeconds / UNREFUSED_SECONDS) ** 3));
  const probed = goodSeconds - RECOVERS_IN - Math.max(KEPT_SECONDS, KEPT_MESSAGES / safe);
  return Math.min(HIGHEST, safe * 2 ** Math.min(Math.max(0, probed) / PROBE_DOUBLES_IN, 40));
}

/** A fixed start that is raised slowly, for an account whose standing with the provider is not known. */
export const cautiousStart = (rate: number): LearnedRate => ({ base: rate, ceiling: rate, goodSeconds: 0 });

/**
 * After a refusal: half.
 * @param measured messages a second that the provider took of late: the start where no rate was known
 * @param floor least rate
 * @param inARow refusals before this one after each of which the provider refused again at once: it takes nothing for now, which says little about the rate that it takes later
 */
export function halved(before: LearnedRate | null, measured: number, floor: number, inARow = 0): LearnedRate {
  if (!before) return { base: Math.max(floor, Math.max(LEAST_START, measured) / 2), ceiling: null, goodSeconds: 0 };
  const refusedAt = Math.max(floor, rateOf(before));
  const base = Math.max(floor, refusedAt / 2);
  if (inARow === 0) return { base, ceiling: Math.max(refusedAt, base * 2), goodSeconds: 0 };
  const isForgotten = before.ceiling === null || inARow >= FORGOTTEN_AFTER;
  return { base, ceiling: isForgotten ? null : Math.max(base * 2, Math.sqrt(before.ceiling! * refusedAt)), goodSeconds: 0 };
}

/** After time at full use without a refusal. */
export const credited = (before: LearnedRate, seconds: number): LearnedRate => ({ ...before, goodSeconds: before.goodSeconds + Math.min(Math.max(0, seconds), DOUBLES_IN) });
