import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';

const MAX_DELAY_MS = 1500;

/** Pseudo-random numbers from 0 to 1; the same seed gives the same numbers. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * E2E_SLOW_ANSWERS=SEED delays every API response by up to 1.5 s at random, to find journeys that pass only on a fast
 * machine. For streams and downloads only the request is delayed, by up to 0.45 s.
 */
export async function slowAnswers(context: BrowserContext): Promise<void> {
  const seed = Number(process.env.E2E_SLOW_ANSWERS ?? 0);
  if (!seed) return;
  const next = numbers(seed);
  await context.route('**/api/**', async (route) => {
    const [before, after] = [next() * MAX_DELAY_MS * 0.3, next() * MAX_DELAY_MS * 0.7];
    try {
      await pause(before);
      if (!['fetch', 'xhr'].includes(route.request().resourceType())) return await route.continue();
      const response = await route.fetch({ maxRedirects: 0 });
      await pause(after);
      await route.fulfill({ response });
    } catch {
      // The page was closed meanwhile.
    }
  });
}
