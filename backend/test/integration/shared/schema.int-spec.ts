import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { entities } from '../../../src/entities.js';
import { migrateOnce } from '../../../src/shared/database/migrate.js';
import { ormConfig } from '../../../src/shared/database/orm-config.js';
import { createDatabase } from '../../kit/database.js';

let database: Awaited<ReturnType<typeof createDatabase>>;
let orm: MikroORM;

beforeAll(async () => {
  database = await createDatabase();
  orm = await MikroORM.init(ormConfig(database.url, entities));
});

afterAll(async () => {
  await orm?.close(true);
  await database?.drop();
});

/** Names of handwritten triggers, which the ORM does not know. */
const BY_HAND =
  /subscriptions_counted|_retire_links|users_forget_contacts|_trend_|_tallied_|network_mails_give_back|suppressions_keep_lifted|email_delivery_logs_fault|_consent_change|_mailbox_set|_account_change|_forget_staged|scheduled_sends_of_suspended|contact_profiles_counted|users_profile_counts/;
const own = (sql: string) =>
  sql
    .split('\n')
    .filter((line) => line.trim() && !BY_HAND.test(line))
    .join('\n');

describe('the schema', () => {
  it('is equal in entities and migrations', async () => {
    expect(own(await orm.schema.getUpdateSchemaSQL({ wrap: false, safe: false, dropTables: false }))).toBe('');
  });

  it('equals the committed snapshot', async () => {
    const recorded = await MikroORM.init(ormConfig(database.url, entities, { snapshot: true }));
    try {
      expect(await recorded.migrator.checkSchema()).toBe(false);
    } finally {
      await recorded.close(true);
    }
  });

  it('is migrated once by concurrent starts', async () => {
    const others = await Promise.all([1, 2, 3].map(() => MikroORM.init(ormConfig(database.url, entities))));
    await Promise.all(others.map((other) => migrateOnce(other)));
    const [row] = await orm.em.execute<{ count: string }[]>('select count(*) from mikro_orm_migrations');
    expect(Number(row!.count)).toBe((await orm.migrator.getExecuted()).length);
    await Promise.all(others.map((other) => other.close(true)));
  });

  it('holds exactly one default list', async () => {
    const insert = orm.em.execute(
      `insert into email_lists (name, slug, is_default) values ('Another', 'another', true)`,
    );
    await expect(insert).rejects.toThrow(/email_lists_one_default/);
  });
});
