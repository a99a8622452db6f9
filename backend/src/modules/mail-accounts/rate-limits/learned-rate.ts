/**
 * The rate that a provider accepts, learned from its answers: a refusal halves it, time in use raises it. In use is the
 * time that granted send times cover, under no lower limit of the settings: a message covers 25 ms at 40 a second. Pure
 * functions; times in seconds, rates in messages a second.
 */
export interface LearnedRate {
  /** Rate right after the last cut. */
  base: number;
  /** Rate at which the provider last refused; null: not known yet, the rate doubles until a refusal. */
  ceiling: number | null;
  /** Seconds in use, without a refusal, since the last cut. */
  goodSeconds: number;
}

/** Seconds in which a rate without a known ceiling doubles. */
const DOUBLES_IN = 10;
/** Seconds until a cut rate is back near its ceiling. */
const RECOVERS_IN = 6;
/**
 * Share of the ceiling to which the rate returns quickly and stays for the following seconds and messages, because each
 * further refusal costs messages.
 */
const SAFE_SHARE = 0.95;
const KEPT_SECONDS = 20;
const KEPT_MESSAGES = 60;
/**
 * After that the rate doubles in this many seconds until the provider refuses: its limit may have risen, or the ceiling
 * was too low.
 */
const PROBE_DOUBLES_IN = 30;
/**
 * Growth of a never-refused rate, in shares of the start: 2 % a minute, plus a cubic term that reaches 50 % after
 * UNREFUSED_SECONDS at full use.
 */
const UNREFUSED_PER_MINUTE = 0.02;
const UNREFUSED_SECONDS = 600;
/** After this many consecutive refusals the learned ceiling is discarded. */
const CEILING_PROBES = 3;
const MAX_LEARNED_RATE = 100_000;
/** Start where no rate was measured. */
const MIN_START = 5;

/** The rate in force, in messages a second. */
export function rateOf({ base, ceiling, goodSeconds }: LearnedRate): number {
  if (ceiling === null) return Math.min(MAX_LEARNED_RATE, base * 2 ** Math.min(goodSeconds / DOUBLES_IN, 40));
  const safe = Math.max(base, ceiling * SAFE_SHARE);
  if (goodSeconds < RECOVERS_IN) return safe - (safe - base) * (1 - goodSeconds / RECOVERS_IN) ** 3;
  if (base === safe)
    return Math.min(
      MAX_LEARNED_RATE,
      base + ceiling * (UNREFUSED_PER_MINUTE * (goodSeconds / 60) + 0.5 * (goodSeconds / UNREFUSED_SECONDS) ** 3),
    );
  const probed = goodSeconds - RECOVERS_IN - Math.max(KEPT_SECONDS, KEPT_MESSAGES / safe);
  return Math.min(MAX_LEARNED_RATE, safe * 2 ** Math.min(Math.max(0, probed) / PROBE_DOUBLES_IN, 40));
}

/** A fixed start that rises slowly, for an account whose reputation with the provider is not known. */
export const cautiousStart = (rate: number): LearnedRate => ({ base: rate, ceiling: rate, goodSeconds: 0 });

/**
 * Halves a rate after a refusal.
 * @param measured messages a second that the provider accepted recently: the start where no rate was known
 * @param floor lowest rate
 * @param inARow earlier consecutive refusals, each at once after a pause: the provider accepts nothing for now, which
 * says little about its later rate
 */
export function halved(before: LearnedRate | null, measured: number, floor: number, inARow = 0): LearnedRate {
  if (!before) return { base: Math.max(floor, Math.max(MIN_START, measured) / 2), ceiling: null, goodSeconds: 0 };
  const refusedAt = Math.max(floor, rateOf(before));
  const base = Math.max(floor, refusedAt / 2);
  if (inARow === 0) return { base, ceiling: Math.max(refusedAt, base * 2), goodSeconds: 0 };
  const isForgotten = before.ceiling === null || inARow >= CEILING_PROBES;
  return {
    base,
    ceiling: isForgotten ? null : Math.max(base * 2, Math.sqrt(before.ceiling! * refusedAt)),
    goodSeconds: 0,
  };
}

/**
 * Adds seconds in use without a refusal. A rate that is not tried recovers, but is not raised further: mail that
 * trickles would otherwise raise it without bound.
 * @param isTried most of the rate was used lately
 */
export function credited(before: LearnedRate, seconds: number, isTried = true): LearnedRate {
  const goodSeconds = before.goodSeconds + Math.min(Math.max(0, seconds), DOUBLES_IN);
  return {
    ...before,
    goodSeconds: isTried ? goodSeconds : Math.max(before.goodSeconds, Math.min(goodSeconds, RECOVERS_IN)),
  };
}
