import { setTimeout as pause } from 'node:timers/promises';

/** More than a busy machine takes for anything that a test waits for. */
export const WAIT_LIMIT_MS = 120_000;

type Answer<T> = T | Promise<T>;

/**
 * Waits until a condition holds, and asks it every 20 ms.
 * @param what named in the error; by default the condition's own source
 * @param limitMs only for what takes longer than the usual limit
 * @returns what the condition answered
 * @throws after `limitMs`, with the last answer
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
