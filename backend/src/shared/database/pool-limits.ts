import type { ProcessRole } from '../config/settings.js';

/** How long one waits for a connection, in milliseconds: who answers people says 503 before they have gone. Tests on a busy machine wait longer. */
export const POOL_PATIENCE = { web: 4_000, worker: 20_000 };

/**
 * Longest that a statement of a web instance may run, in milliseconds: a dozen slow ones would otherwise hold all its connections.
 * Work that takes longer by its nature says so (`withoutTimeLimit`). Workers have no limit, and neither has one process that does both
 * (ROLE=all): its pool does not know who asks, and a limit for requests alone would put each read into a transaction of its own, with
 * three statements in place of one. Whoever needs the limit runs web and worker as two processes.
 */
export const STATEMENT_MS: Record<ProcessRole, number> = { web: 5_000, all: 0, worker: 0, bounces: 0 };

/**
 * Connections of an instance: how many it keeps, and how many it opens at most. Those who serve people keep enough for a burst, and no
 * more than a processor has use for: who waits a moment here does not compete with those before him.
 */
export const POOL_LIMITS: Record<ProcessRole, { poolMin: number; poolMax: number }> = {
  web: { poolMin: 10, poolMax: 12 },
  all: { poolMin: 10, poolMax: 20 },
  worker: { poolMin: 0, poolMax: 20 },
  bounces: { poolMin: 0, poolMax: 6 },
};
