import type { EntityManager } from '@mikro-orm/postgresql';
import { changed, rows } from '../../../../shared/database/queries/rows.js';
import type {
  ImportCheckpoint,
  ImportColumn,
  ImportCorrections,
  ImportFileInfo,
  ImportGoal,
  ImportOptions,
  ImportStage,
} from '../../entities/contact-import.values.js';

/**
 * Number of consecutive claims without committed progress after which an import fails, whether its workers met an error
 * or were killed.
 */
export const MAX_ATTEMPTS = 5;

/** SQL assignment: renews the lease for 60 seconds from now. */
export const RENEW_LEASE = `lease_until = now() + interval '60 seconds'`;

/** An import that this worker has claimed. */
export interface ClaimedImport {
  id: string;
  userId: string;
  /** Account that gets the profiles; null for the default list, which has none. */
  ownerId: string | null;
  listId: string | null;
  isDirect: boolean;
  stage: ImportStage;
  goal: ImportGoal;
  /** Fencing token of the claim. */
  run: number;
  attempts: number;
  format: 'csv' | 'lines';
  subscriptionType: string;
  attestation: string | null;
  fileInfo: ImportFileInfo;
  columns: ImportColumn[] | null;
  options: ImportOptions;
  corrections: ImportCorrections;
  checkpoint: ImportCheckpoint | null;
  lines: number;
  total: number;
  committedLine: number;
  /** Time of the commit, in ms since 1970; null before the commit. */
  committedAt: number | null;
}

/**
 * Result of a stage's time slice: the stage is done (`ended`), there is more to do (`more`), or the staged data is lost
 * and the file must be read again (`lost`).
 */
export type SliceEnd = 'ended' | 'more' | 'lost';

/** Tells whether a worker should end its slice. */
export interface SliceClock {
  isOver(): boolean;
}

/** Thrown if this worker must stop: another worker took over the import, or its user changed or discarded it. */
export class ClaimLost extends Error {}

/** Locks the import until the caller's transaction ends. @throws ClaimLost if the claim is no longer this worker's */
export async function lockClaim(em: EntityManager, { id, run }: Pick<ClaimedImport, 'id' | 'run'>): Promise<void> {
  const found = await rows(
    em,
    `select 1 from contact_imports where id = ? and run = ? and stage is not null for no key update`,
    [id, run],
  );
  if (found.length === 0) throw new ClaimLost();
}

/**
 * Writes progress from which later claims continue, within the caller's transaction. Renews the lease and resets the
 * number of attempts.
 * @throws ClaimLost if the claim is no longer this worker's
 */
export const recordProgress = (
  em: EntityManager,
  claimed: Pick<ClaimedImport, 'id' | 'run'>,
  set: string,
  params: readonly unknown[] = [],
): Promise<void> => recordRepeatable(em, claimed, `${set}, attempts = 0`, params);

/**
 * Writes progress that the next claim would repeat, as in a file that is read from its beginning. Renews the lease, but
 * keeps the number of attempts.
 * @throws ClaimLost if the claim is no longer this worker's
 */
export async function recordRepeatable(
  em: EntityManager,
  { id, run }: Pick<ClaimedImport, 'id' | 'run'>,
  set: string,
  params: readonly unknown[] = [],
): Promise<void> {
  const done = await changed(
    em,
    `update contact_imports set ${set}, touched_at = now(), ${RENEW_LEASE} where id = ? and run = ? and stage is not null`,
    [...params, id, run],
  );
  if (done !== 1) throw new ClaimLost();
}
