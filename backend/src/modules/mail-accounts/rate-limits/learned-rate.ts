/**
 * The rate that a provider accepts, learned from its replies: a refusal halves the rate, and time in use raises it.
 * Time in use is the time covered by granted send times, for example 25 ms per message at 40 messages a second, while
 * no lower limit from the settings applies. Pure functions; times in seconds, rates in messages per second.
 */
export interface LearnedRate {
  /** Rate right after the last cut; without a cut, the initial rate. */
  base: number;
  /** Rate at which the provider last refused; null: unknown, so the rate doubles until the next refusal. */
  ceiling: number | null;
  /** Seconds in use since the last cut. */
  goodSeconds: number;
}

/** Seconds in which a rate without a known ceiling doubles. */
const DOUBLES_IN = 10;
/** Seconds until a cut rate is back near its ceiling. */
const RECOVERS_IN = 6;
/**
 * Share of the ceiling to which a cut rate recovers quickly. It then stays there for KEPT_SECONDS or KEPT_MESSAGES,
 * whichever takes longer, because each further refusal defers messages.
 */
const SAFE_SHARE = 0.95;
const KEPT_SECONDS = 20;
const KEPT_MESSAGES = 60;
/**
 * Seconds in which the rate doubles after its time at SAFE_SHARE, until the provider refuses: the provider's limit may
 * have risen, or the ceiling may have been too low.
 */
const PROBE_DOUBLES_IN = 30;
/**
 * Growth of a rate that was never refused, as shares of the initial rate: 2 % a minute, plus a cubic term that reaches
 * 50 % after UNREFUSED_SECONDS at full use.
 */
const UNREFUSED_PER_MINUTE = 0.02;
const UNREFUSED_SECONDS = 600;
/** Number of consecutive refusals after which the learned ceiling is discarded. */
const CEILING_PROBES = 3;
const MAX_LEARNED_RATE = 100_000;
/** Lowest initial rate, in messages per second, if little or nothing was measured. */
const MIN_START = 5;

/** The rate that currently applies, in messages per second. */
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

/** Starts at a given rate that rises slowly, for an account whose reputation with the provider is unknown. */
export const cautiousStart = (rate: number): LearnedRate => ({ base: rate, ceiling: rate, goodSeconds: 0 });

/**
 * Halves a rate after a refusal.
 * @param measured messages per second that the provider accepted recently; the starting point if no rate was known
 * @param floor lowest permitted rate
 * @param inARow number of preceding refusals that each came right after a pause. In that case the provider accepts
 * nothing for now, which says little about its later rate
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
 * Adds seconds in use without a refusal. A rate that is hardly used recovers from a cut but does not rise further,
 * because a trickle of mail would otherwise raise it without bound.
 * @param isTried whether most of the rate was used lately
 */
export function credited(before: LearnedRate, seconds: number, isTried = true): LearnedRate {
  const goodSeconds = before.goodSeconds + Math.min(Math.max(0, seconds), DOUBLES_IN);
  return {
    ...before,
    goodSeconds: isTried ? goodSeconds : Math.max(before.goodSeconds, Math.min(goodSeconds, RECOVERS_IN)),
  };
}
