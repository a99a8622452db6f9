import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import { entities } from '../entities.js';
import { migrateOnce } from '../shared/database/migrate.js';
import { ormConfig } from '../shared/database/orm-config.js';

/**
 * Statements about triggers. The migrations define triggers by hand; MikroORM does not know them and would drop them.
 */
const TRIGGERS = /^drop (trigger|function) /;

/**
 * Development tool; needs a build and a throw-away database: `npm run build -- backend`, then
 * `npm run services -- npm run migration -w backend -- COMMAND`. Commands:
 * - `create NAME FOLDER` compares the entities with the snapshot and writes a migration into `migrations/FOLDER`
 * - `snapshot` rewrites the snapshot, for example after merging two branches with migrations
 * - `check` runs all migrations and fails if the schema then differs from the entities
 */
async function main([verb, name, folder]: string[]): Promise<void> {
  const url = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL;
  if (!url) throw new Error('TEST_DATABASE_URL or DATABASE_URL must name a database');
  const orm = await MikroORM.init(ormConfig(url, entities, { snapshot: verb !== 'check' }));
  try {
    if (verb === 'create') return await create(orm, name, folder);
    if (verb === 'snapshot') return await snapshot(orm);
    if (verb === 'check') return await check(orm);
    throw new Error('create NAME FOLDER, snapshot or check');
  } finally {
    await orm.close(true);
  }
}

/** Creates a migration. MikroORM writes the file beside the snapshot, so it is moved to its folder. */
async function create(orm: MikroORM, name?: string, folder?: string): Promise<void> {
  if (!name || !folder) throw new Error('create NAME FOLDER: a name and a folder of migrations, for example lists');
  const { fileName, diff } = await orm.migrator.create('migrations', false, false, name);
  if (!fileName) return console.log('nothing to do');
  await mkdir(join('migrations', folder), { recursive: true });
  await rename(join('migrations', fileName), join('migrations', folder, fileName));
  console.log(
    `migrations/${folder}/${fileName}: ${diff.up.length} statements; now add its class to migrations/index.ts`,
  );
}

/**
 * Rewrites the snapshot. MikroORM writes it only together with a migration, so a blank migration is created and
 * deleted.
 */
async function snapshot(orm: MikroORM): Promise<void> {
  const { fileName } = await orm.migrator.create('migrations', true, false, 'snapshot');
  await rm(join('migrations', fileName));
  console.log('the snapshot is written');
}

/** Runs all migrations and compares the schema with the entities. Does not read the snapshot. */
async function check(orm: MikroORM): Promise<void> {
  await migrateOnce(orm);
  const open = (await orm.schema.getUpdateSchemaSQL({ wrap: false, safe: false, dropTables: false }))
    .split('\n')
    .filter((line) => line.trim() && !TRIGGERS.test(line));
  if (open.length > 0) throw new Error(`entities and migrations differ:\n${open.join('\n')}`);
  console.log('entities and migrations agree');
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
