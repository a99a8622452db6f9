import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import { entities } from '../entities.js';
import { migrateOnce } from '../shared/database/migrate.js';
import { ormConfig } from '../shared/database/orm-config.js';

/**
 * For developers, against a throw-away database (`npm run services -- node …`):
 * `create NAME` writes the migration from entities to snapshot; `snapshot` writes the
 * snapshot anew (after a merge of two branches with migrations); `check` fails where entities, snapshot and migrations differ.
 */
async function main([verb, name]: string[]): Promise<void> {
  const url = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL;
  if (!url) throw new Error('TEST_DATABASE_URL or DATABASE_URL must name a database');
  const orm = await MikroORM.init(ormConfig(url, entities, { snapshot: verb !== 'check' }));
  try {
    if (verb === 'create') return void (await create(orm, name));
    if (verb === 'snapshot') return await snapshot(orm);
    if (verb === 'check') return await check(orm);
    throw new Error('create NAME, snapshot or check');
  } finally {
    await orm.close(true);
  }
}

async function create(orm: MikroORM, name?: string): Promise<void> {
  const { fileName, diff } = await orm.migrator.create('migrations', false, false, name);
  console.log(fileName ? `${fileName}: ${diff.up.length} statements` : 'nothing to do');
}

/** The ORM writes its snapshot beside a migration only: a blank one is made and thrown away. */
async function snapshot(orm: MikroORM): Promise<void> {
  const { fileName } = await orm.migrator.create('migrations', true, false, 'snapshot');
  await rm(join('migrations', fileName));
  console.log('the snapshot is written');
}

/** The snapshot's drift is asked of the ORM; the database's, of a schema comparison after all migrations. */
async function check(orm: MikroORM): Promise<void> {
  await migrateOnce(orm);
  const open = await orm.schema.getUpdateSchemaSQL({ wrap: false, safe: false, dropTables: false });
  if (open.trim()) throw new Error(`entities and migrations differ:\n${open}`);
  console.log('entities and migrations agree');
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
