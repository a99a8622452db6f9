import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '../shared/database/queries/columns.js';
import { rows } from '../shared/database/queries/rows.js';

const FILE = 'vendor-fair-austin.csv';

/**
 * Rows of a trade-fair file. Some have problems that the check of an import reports: a typo, a duplicate, a role
 * address, a line without an address.
 */
const PEOPLE = [
  'Email Address,Full Name,Company Name,Phone Number,City,State,Badge',
  'dana.whitfield@lakeshore-talent.example,"Whitfield, Dana",Lakeshore Talent,(512) 555-0188,Austin,TX,Gold',
  'marcus.bell@lakeshore-talent.example,Marcus Bell,Lakeshore Talent,(512) 555-0189,Austin,TX,Silver',
  'priya.nair@gmial.com,Priya Nair,Nair Consulting,512-555-0123,Round Rock,TX,Silver',
  'jobs@redcedar-systems.example,,Red Cedar Systems,,Dallas,TX,Gold',
  'OLIVER STONE <oliver.stone@redcedar-systems.example>,OLIVER STONE,Red Cedar Systems,+1 214 555 0101,Dallas,TX,Gold',
  'marcus.bell@lakeshore-talent.example,Marcus Bell,Lakeshore Talent,,Austin,TX,',
  'asked for a call back,Grace Kim,Kim & Partners,(713) 555-0142,Houston,TX,Gold',
  'yusuf.demir@kim-partners.example,Yusuf Demir,Kim & Partners,(713) 555-0143,Houston,TX,Silver',
];

/**
 * Adds a file that was uploaded yesterday. A worker reads it; the import then waits until the user assigns its columns.
 */
export async function seedOpenImport(em: EntityManager, ownerId: string): Promise<void> {
  const id = newId();
  const content = Buffer.from(`${PEOPLE.join('\r\n')}\r\n`);
  await rows(
    em,
    `insert into contact_imports (id, user_id, status, stage, goal, is_direct, subscription_type, format, file_name, bytes_total, created_at)
     values (?, ?, 'reading', 'read', 'mapping', false, 'candidate-lists', 'csv', ?, ?, now() - interval '1 day')`,
    [id, ownerId, FILE, content.length],
  );
  await rows(em, `insert into contact_import_chunks (import_id, position, content) values (?, 0, ?)`, [id, content]);
}
