import { setTimeout as pause } from 'node:timers/promises';

/** Longer than any wait takes, even on the slowest machine. */
const TIMEOUT_MS = 120_000;

/** Polls until the result is truthy and not empty. @returns the result */
export async function until<T>(what: string, ask: () => T | Promise<T>, limitMs = TIMEOUT_MS): Promise<NonNullable<T>> {
  const end = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`${what}: not within ${limitMs} ms`);
    await pause(50);
  }
}
