import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from '../../../shared/database/queries/rows.js';

/**
 * Configures the query planner for the current transaction, which judges a whole audience: the statement sorts and
 * joins all addresses once, and the defaults are tuned for small statements.
 */
export async function planForLargeAudience(em: EntityManager): Promise<void> {
  await rows(
    em,
    `select set_config('enable_sort', 'on', true), set_config('jit', 'off', true), set_config('work_mem', '64MB', true)`,
  );
}
