import { setTimeout as pause } from 'node:timers/promises';

const HOUR_MS = 3_600_000;

/** For what is counted by the hour or the day: waits until the next one has begun, where it is near. */
export async function awayFromTheHour(nearMs = 40_000): Promise<void> {
  const left = HOUR_MS - (Date.now() % HOUR_MS);
  if (left < nearMs) await pause(left + 1000);
}
