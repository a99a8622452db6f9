import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Migration } from '@mikro-orm/migrations';
import { migrations } from '../migrations/index.js';
import { lintMigration } from './kit/migration-lint.js';

/**
 * The first migration after the first release. From then on the tables are in use, so migrations must not lock them.
 */
const FIRST_RELEASE = 'Migration20261122';
/** Migrations that may break the rules, with the reason. */
const EXCUSED: Record<string, string> = { Migration20261121080100_referrals: 'no invite could be made before it' };

async function statementsOf(entry: (typeof migrations)[number]): Promise<string[]> {
  const MigrationClass = entry.class as unknown as new (...args: unknown[]) => Migration;
  const migration = new MigrationClass({}, {});
  await migration.up();
  return migration.getQueries().filter((query): query is string => typeof query === 'string');
}

describe('migrations', () => {
  it('are named after their files, whatever folder contains these', () => {
    const files = readdirSync(join(import.meta.dirname, '../migrations'), { recursive: true, encoding: 'utf8' })
      .map((path) => basename(path, '.ts'))
      .filter((name) => name.startsWith('Migration'));
    expect(migrations.map(({ name }) => name)).toEqual(files.sort());
    expect(migrations.map((entry) => entry.class.name)).toEqual(files);
  });

  it.each(migrations.map((migration) => [migration.name, migration] as const))(
    '%s is compatible with the previous version',
    async (name, migration) => {
      if (EXCUSED[name]) return;
      expect(lintMigration(await statementsOf(migration), { released: name >= FIRST_RELEASE })).toEqual([]);
    },
  );
});

describe('the lint', () => {
  const rulesOf = (...statements: string[]) =>
    lintMigration(statements, { released: true }).map(({ rule }) => rule.split(/[ :]/)[0]);

  it.each([
    ['drop table users'],
    ['alter table "users" drop column "tier"'],
    ['alter table "users" rename column "tier" to "plan"'],
    ['alter table "users" rename to "people"'],
    ['alter table "users" alter column "tier" type int using (tier::int)'],
    ['alter table "users" add column "x" text not null'],
    ['create index "i" on "users" ("tier")'],
    ['create unique index "i" on "users" ("tier")'],
    ['alter table "users" add constraint "c" check (tier <> \'\')'],
    ['alter table "users" add constraint "f" foreign key ("a") references "b" ("id")'],
    ['alter table "users" alter column "tier" set not null'],
    ['alter table "users" add constraint "u" unique ("tier")'],
    ['lock table users'],
    ['truncate users'],
  ])('refuses: %s', (statement) => expect(rulesOf(statement)).toHaveLength(1));

  it('accepts additions', () => {
    expect(
      rulesOf(
        'create table "new_things" ("id" uuid not null); create index "i" on "new_things" ("id")',
        'alter table "new_things" add constraint "c" check (id is not null)',
        'alter table "users" add column "note" text null',
        'alter table "users" add column "n" int not null default 0',
        'create index concurrently "j" on "users" ("note")',
        'alter table "users" add constraint "c" check (n >= 0) not valid',
        '/* safe: nobody ever read it */ alter table "users" drop column "old"',
      ),
    ).toEqual([]);
  });
});
