import { setTimeout as pause } from 'node:timers/promises';

const HOUR_MS = 3_600_000;

/** Where the full hour is near, waits until it has passed, for tests that count per hour or day. */
export async function awayFromTheHour(nearMs = 40_000): Promise<void> {
  const left = HOUR_MS - (Date.now() % HOUR_MS);
  if (left < nearMs) await pause(left + 1000);
}
