import type { EntityManager } from '@mikro-orm/postgresql';
import { changed, rows } from '../../../shared/database/queries/rows.js';

const TABLES = [
  'contact_import_chunks',
  'contact_import_records',
  'contact_import_domains',
  'contact_import_erasures',
] as const;

/** Deletes the file of an import that has ended, and the data read from the file, within the caller's transaction. */
export async function forgetFile(em: EntityManager, importId: string): Promise<void> {
  for (const table of TABLES) await rows(em, `delete from ${table} where import_id = ?`, [importId]);
  await forgetSamples(em, importId);
}

/** Removes the sample values of the import's columns. @returns number of imports changed: 1 or 0 */
export const forgetSamples = (em: EntityManager, importId: string): Promise<number> =>
  changed(em, FORGET_SAMPLES, [importId]);

const FORGET_SAMPLES = `
  update contact_imports set columns = (
    select jsonb_agg(c.value || '{"samples": []}' order by c.place) from jsonb_array_elements(columns) with ordinality as c(value, place))
  where id = ? and jsonb_path_exists(columns, '$[*].samples[*]')`;

/** Maximum number of rows that one call of `deleteStagedRows` deletes. */
export const STAGED_ROWS_AT_ONCE = 20_000;

/**
 * Deletes at most STAGED_ROWS_AT_ONCE staged rows of an import, which may have millions.
 * @returns the number deleted
 */
export const deleteStagedRows = (em: EntityManager, importId: string): Promise<number> =>
  changed(
    em,
    `delete from contact_import_rows where ctid in (select ctid from contact_import_rows where import_id = ? limit ${STAGED_ROWS_AT_ONCE})`,
    [importId],
  );
