import type { EntityManager } from '@mikro-orm/postgresql';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import type { Address } from '../../../shared/mail/address.js';
import { wholeAddress } from '../../../shared/mail/whole-address.js';
import { forgetSamples } from './import-file.js';

interface FoundLine {
  importId: string;
  line: number;
  reason: string;
  text: string;
}

/** Data about a person in imports: rejected lines, and staged lines of imports that wait for their user. */
export async function exportPersonFromImports(em: EntityManager, address: Address): Promise<Record<string, object[]>> {
  const refused = await linesNaming(em, REJECTS_NAMING, address);
  const staged = await rows(em, `select line, cells from contact_import_rows where email_hash = ? order by line`, [
    address.hash,
  ]);
  return { refusedImportLines: refused.map(({ line, reason }) => ({ line, reason })), openImportLines: staged };
}

/**
 * Removes a person from imports, within the caller's transaction. The file of an unfinished import stays; lines with
 * the address are skipped each time the file is read and checked again.
 * @returns number of rows deleted or changed
 */
export async function erasePersonFromImports(em: EntityManager, address: Address): Promise<number> {
  const { hash, norm } = address;
  // Workers stage and commit lines under the same lock, so no line of the person can be on its way from the file to the
  // contacts.
  await rows(em, `select id from contact_imports where ${HAS_FILE} order by id for update`);
  await changed(em, PASS_OVER, [hash]);
  const counts = [
    await changed(em, `delete from contact_import_rows where email_hash = ?`, [hash]),
    await deleteLines(em, 'contact_import_rows', await linesNaming(em, STAGED_NAMING, address)),
    await deleteLines(em, 'contact_import_rejects', await linesNaming(em, REJECTS_NAMING, address)),
    await forgetCorrections(em, norm),
    await eraseSamples(em, norm),
  ];
  return counts.reduce((sum, count) => sum + count, 0);
}

async function linesNaming(em: EntityManager, sql: string, { norm }: Address): Promise<FoundLine[]> {
  const found = await rows<FoundLine>(em, sql, [norm]);
  return found.filter(({ text }) => names(text, norm));
}

/**
 * Whether a text, or JSON as text, contains an address. Escaped line ends and quotes around the address are ignored.
 */
const names = (text: string, norm: string): boolean =>
  wholeAddress(norm).test(text.replace(/\\[nrt]/g, ' ').replace(/(?<=^|[\s<(,;"])'|'(?=$|[\s>),;"])/g, ' '));

async function deleteLines(
  em: EntityManager,
  table: 'contact_import_rows' | 'contact_import_rejects',
  lines: readonly FoundLine[],
): Promise<number> {
  if (lines.length === 0) return 0;
  return changed(
    em,
    `delete from ${table} t using jsonb_to_recordset(?::jsonb) as g(id uuid, line int) where t.import_id = g.id and t.line = g.line`,
    [JSON.stringify(lines.map(({ importId, line }) => ({ id: importId, line })))],
  );
}

/**
 * Samples in other columns may belong to the same person, so an import that contains the address loses all its samples.
 */
async function eraseSamples(em: EntityManager, norm: string): Promise<number> {
  const found = await rows<{ id: string; text: string }>(
    em,
    `select id, columns::text as text from contact_imports where strpos(lower(columns::text), ?) > 0 order by id`,
    [norm],
  );
  let count = 0;
  for (const { id, text } of found) if (names(text, norm)) count += await forgetSamples(em, id);
  return count;
}

/** SQL condition: the import may still read its file. */
const HAS_FILE = `status not in ('done', 'discarded', 'undone') and not (status = 'failed' and stage is null)`;

const PASS_OVER = `
  insert into contact_import_erasures (import_id, address_hash) select id, ?::bytea from contact_imports where ${HAS_FILE} on conflict do nothing`;

/** Staged lines without a readable address, at least one of whose cells contains this address. */
const STAGED_NAMING = `
  select import_id as "importId", line, coalesce(refused, '') as reason, cells::text as text from contact_import_rows
  where email_hash is null and strpos(lower(cells::text), ?) > 0`;

const REJECTS_NAMING = `
  select r.import_id as "importId", r.line, r.reason, r.text from (
    select import_id, line, reason, concat_ws(' ', email, cells::text) as text from contact_import_rejects) r
  where strpos(lower(r.text), ?) > 0 order by r.line`;

/** Lines whose address a user corrected by hand, with the address as typed. */
const CORRECTIONS_NAMING = `
  select i.id, l.key as line, l.value as text from contact_imports i cross join lateral jsonb_each_text(i.corrections -> 'lines') l
  where i.corrections -> 'lines' is not null and strpos(lower(l.value), ?) > 0`;

async function forgetCorrections(em: EntityManager, norm: string): Promise<number> {
  const found = await rows<{ id: string; line: string; text: string }>(em, CORRECTIONS_NAMING, [norm]);
  const naming = found.filter(({ text }) => names(text, norm));
  if (naming.length === 0) return 0;
  await changed(
    em,
    `update contact_imports i set corrections = jsonb_set(i.corrections, '{lines}', (i.corrections -> 'lines') - g.lines)
     from (select id, array_agg(line) as lines from jsonb_to_recordset(?::jsonb) as r(id uuid, line text) group by id) g
     where i.id = g.id`,
    [JSON.stringify(naming.map(({ id, line }) => ({ id, line })))],
  );
  return naming.length;
}
