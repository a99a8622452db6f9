import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until a condition holds, and asks it every 20 ms.
 * @throws after `limitMs`
 */
export async function until(condition: () => boolean | Promise<boolean>, limitMs = 30_000): Promise<void> {
  for (const end = Date.now() + limitMs; !(await condition()); await pause(20))
    if (Date.now() > end) throw new Error(`it did not come about within ${limitMs} ms`);
}
