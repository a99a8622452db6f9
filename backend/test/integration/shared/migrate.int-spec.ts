import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Migration } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { entities } from '../../../src/entities.js';
import { migrateOnce } from '../../../src/shared/database/migrate.js';
import { ormConfig } from '../../../src/shared/database/orm-config.js';
import { createDatabase } from '../../kit/database.js';
import { until } from '../../kit/until.js';

class Migration20990101000000_two_tables extends Migration {
  override name = 'Migration20990101000000_two_tables';

  override up(): void {
    this.addSql(`set local lock_timeout = '2s'`);
    this.addSql('alter table busy_a add column migrated int');
    this.addSql('alter table busy_b add column migrated int');
  }
}

let database: Awaited<ReturnType<typeof createDatabase>>;
let orm: MikroORM;
let writer: pg.Client;
/** Used to observe, because pg_stat_activity is frozen within the writer's transaction. */
let observer: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  writer = new pg.Client({ connectionString: database.url });
  observer = new pg.Client({ connectionString: database.url });
  await Promise.all([writer.connect(), observer.connect()]);
});
beforeEach(async () => {
  const config = ormConfig(database.url, entities);
  const migrationsList = [{ name: 'Migration20990101000000_two_tables', class: Migration20990101000000_two_tables }];
  orm = await MikroORM.init({
    ...config,
    migrations: { ...config.migrations, migrationsList, tableName: 'migrations_of_this_test', silent: true },
  });
  await writer.query('drop table if exists busy_a, busy_b, migrations_of_this_test');
  await writer.query(
    'create table busy_a (n int); create table busy_b (n int); insert into busy_a values (1); insert into busy_b values (1)',
  );
});
afterEach(async () => {
  // Ends the transaction that a failed test has left open.
  await writer.query('rollback');
  await orm.close(true);
});
afterAll(async () => {
  await writer?.end();
  await observer?.end();
  await database?.drop();
});

/** Waits until a statement that did not begin at `before` waits for a lock. @returns when it began */
function someoneWaitsForALock(before = ''): Promise<string | undefined> {
  return until('someone waits for a lock', async () => {
    const { rows } = await observer.query<{ since: string }>(
      `select query_start::text as since from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.find(({ since }) => since !== before)?.since;
  });
}
const migrated = async () =>
  (
    await writer.query(
      `select 1 from information_schema.columns where table_name in ('busy_a', 'busy_b') and column_name = 'migrated'`,
    )
  ).rowCount;

describe('a migration with concurrent writers', () => {
  it('is retried after a deadlock', async () => {
    await writer.query('begin');
    // PostgreSQL aborts the session that detects the deadlock. This must not be the writer's session, because then no
    // migration would be retried.
    await writer.query(`set local deadlock_timeout = '1h'`);
    await writer.query('update busy_b set n = 2');
    const done = migrateOnce(orm);
    done.catch(() => undefined);
    await someoneWaitsForALock();
    await writer.query('update busy_a set n = 2');
    await writer.query('commit');
    await done;
    expect(await migrated()).toBe(2);
    expect((await writer.query('select (select n from busy_a) + (select n from busy_b) as n')).rows).toEqual([
      { n: 4 },
    ]);
  });

  it('is retried after a lock timeout', async () => {
    await writer.query('begin');
    await writer.query('update busy_a set n = 2');
    const done = migrateOnce(orm);
    done.catch(() => undefined);
    await someoneWaitsForALock(await someoneWaitsForALock());
    await writer.query('commit');
    await done;
    expect(await migrated()).toBe(2);
  });
});
