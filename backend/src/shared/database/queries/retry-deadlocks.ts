import { setTimeout as pause } from 'node:timers/promises';
import { DeadlockException } from '@mikro-orm/core';

const MAX_RETRIES = 20;
/** Pause in ms before each retry. */
const DEADLOCK_RETRY_PAUSE_MS = 200;

/**
 * Retries work that PostgreSQL aborted because of a deadlock or serialization failure, up to 20 times, 200 ms apart.
 * Meant for batch jobs that lock many rows while short transactions lock the same rows in another order. The work must
 * be one complete transaction.
 * @throws other errors of the work at once, or the last deadlock
 */
export async function retryDeadlocks<T>(work: () => Promise<T>): Promise<T> {
  for (let retry = 1; ; retry += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DeadlockException) || retry > MAX_RETRIES) throw error;
      await pause(DEADLOCK_RETRY_PAUSE_MS);
    }
  }
}
