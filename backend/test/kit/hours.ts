import { setTimeout as pause } from 'node:timers/promises';

const HOUR_MS = 3_600_000;

/** If the current hour ends soon, waits until the next one has begun. For tests that count per hour or day. */
export async function awayFromTheHour(nearMs = 40_000): Promise<void> {
  const left = HOUR_MS - (Date.now() % HOUR_MS);
  if (left < nearMs) await pause(left + 1000);
}
