import { setTimeout as pause } from 'node:timers/promises';

/** Longer than anything takes that tests wait for, even on a busy machine. */
export const WAIT_LIMIT_MS = 120_000;

type Answer<T> = T | Promise<T>;

/**
 * Polls a condition every 20 ms until it holds.
 * @param what text for the error; by default the source of the condition
 * @param limitMs only for work that takes longer than the default limit
 * @returns the result of the condition
 * @throws after `limitMs`, with the last result
 */
export async function until<T>(condition: () => Answer<T>): Promise<T>;
export async function until<T>(what: string, condition: () => Answer<T>, limitMs?: number): Promise<T>;
export async function until<T>(
  what: string | (() => Answer<T>),
  condition?: () => Answer<T>,
  limitMs = WAIT_LIMIT_MS,
): Promise<T> {
  const ask = typeof what === 'string' ? condition! : what;
  const end = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end)
      throw new Error(`not within ${limitMs} ms: ${String(what)}\nthe last answer: ${JSON.stringify(answer)}`);
    await pause(20);
  }
}
