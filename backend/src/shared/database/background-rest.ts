import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from './rows.js';

/** A small question that is answered sooner than this says that nobody waits. */
const QUICK_MS = 10;
/** Rest for each millisecond beyond it … */
const REST = 20;
/** … and no longer, so that background work goes on under any load. */
const LONGEST_MS = 1_000;

/** How long background work rests after a small question of the database took so long, both in milliseconds. */
export const restAfter = (tookMs: number): number => Math.min(LONGEST_MS, Math.max(0, tookMs - QUICK_MS) * REST);

/** Asks the database a small question and rests the longer, the longer its answer took: whoever waits at a screen waits for the same processor and disk. */
export async function restWhileBusy(em: EntityManager): Promise<void> {
  const asked = performance.now();
  await rows(em, 'select 1');
  const ms = restAfter(performance.now() - asked);
  if (ms > 0) await pause(ms);
}
