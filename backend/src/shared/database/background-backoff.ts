import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from './queries/rows.js';

/** Probe latency in milliseconds below which the database counts as idle. */
const IDLE_LATENCY_MS = 10;
/** Milliseconds of pause per millisecond of latency above IDLE_LATENCY_MS. */
const PAUSE_PER_MS = 20;
/** Longest pause, so that background work proceeds under any load. */
const MAX_PAUSE_MS = 1_000;

/**
 * Pause for background work, in milliseconds.
 * @param tookMs latency of the probe query, in milliseconds
 */
export const backoffAfter = (tookMs: number): number =>
  Math.min(MAX_PAUSE_MS, Math.max(0, tookMs - IDLE_LATENCY_MS) * PAUSE_PER_MS);

/**
 * Measures the latency of a small query and pauses accordingly, so that background work leaves database capacity to
 * requests.
 */
export async function backOffWhileBusy(em: EntityManager): Promise<void> {
  const asked = performance.now();
  await rows(em, 'select 1');
  const ms = backoffAfter(performance.now() - asked);
  if (ms > 0) await pause(ms);
}
