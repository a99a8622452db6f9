import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import pLimit from 'p-limit';
import { bulkRows } from '../../shared/database/rows.js';

/** Longest rest after a piece, in milliseconds. */
const LONGEST_REST_MS = 250;
/** Uploads of this process store one piece at a time. */
const turns = pLimit(1);

/**
 * Stores a piece of an uploaded file. Afterwards all uploads rest for as long as it took, so that files that come in at once, however large,
 * leave half of the database's and the disk's time to everybody else.
 */
export async function storePiece(em: EntityManager, importId: string, position: number, content: Buffer): Promise<void> {
  await turns(async () => {
    const start = performance.now();
    await bulkRows(em, STORE, [importId, position, content]);
    await pause(Math.min(performance.now() - start, LONGEST_REST_MS));
  });
}

/** Waits for no disk: the statement that ends the upload does, and what it finds stored before it is then on the disk as well. */
const STORE = `
  insert into contact_import_chunks (import_id, position, content)
  select ?::uuid, ?::int, ?::bytea where set_config('synchronous_commit', 'off', true) is not null`;
