import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const require = createRequire(import.meta.url);
const root = join(import.meta.dirname, '..');
const table = require('../walls.table.cjs') as Record<string, string[]>;
const DEPCRUISE = join(root, '../node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');

interface Violation {
  from: string;
  rule: { name: string };
}

async function violationsIn(folder: string): Promise<Violation[]> {
  const args = [DEPCRUISE, folder, '--config', '.dependency-cruiser.cjs', '--output-type', 'json'];
  const run = promisify(execFile)(process.execPath, args, {
    cwd: root,
    env: { ...process.env, WALLS_ROOT: folder },
    maxBuffer: 64e6,
  });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
}

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sources(path);
    return path.endsWith('.ts') ? [path] : [];
  });
}

const all = sources(join(root, 'src')).map((path) => ({
  path: path.slice(root.length + 1),
  text: readFileSync(path, 'utf8'),
}));
const offenders = (pattern: RegExp, allowed: RegExp) =>
  all.filter(({ path, text }) => !allowed.test(path) && pattern.test(text)).map(({ path }) => path);

describe('the import rules between modules', () => {
  it('have no violation in the source', async () => {
    expect(await violationsIn('src')).toEqual([]);
  });

  it('detect every planted violation', async () => {
    const found = (await violationsIn('test/walls-fixture')).map(
      ({ from, rule }) => `${rule.name}: ${from.replace('test/walls-fixture/', '')}`,
    );
    expect(found).toEqual(
      expect.arrayContaining([
        'auth-is-entered-by-its-face: modules/lists/peeks-inside.ts',
        'history-imports-only-what-the-table-says: modules/history/imports-upwards.ts',
        'referrals-imports-only-what-the-table-says: modules/referrals/imports-across.ts',
        'every-module-is-in-the-table: listed.ts',
        'only-roots-list-features: listed.ts',
        'the-floor-knows-no-feature: shared/mail/knows-a-feature.ts',
        'no-circle: shared/circle-a.ts',
      ]),
    );
  });

  it('list exactly the module folders in the table', () => {
    expect(readdirSync(join(root, 'src/modules')).sort()).toEqual(Object.keys(table).sort());
  });

  it('give each table one owner', () => {
    const owners = all.flatMap(({ path, text }) =>
      [...text.matchAll(/@Entity\(\{ tableName: '(\w+)'/g)].map((match) => ({ table: match[1]!, path })),
    );
    const names = owners.map((owner) => owner.table);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(SPECIFIED_TABLES));
  });

  it('keep the conventions: no forwardRef, no @Global outside shared, settings read in one place, transactions only through inTransaction, no HTTP exception below a controller', () => {
    expect(offenders(/forwardRef\(/, /^$/)).toEqual([]);
    expect(offenders(/@Global\(\)/, /^src\/shared\//)).toEqual([]);
    expect(offenders(/\.transactional\(/, /^src\/shared\/database\/queries\/rows\.ts$/)).toEqual([]);
    expect(offenders(/process\.env/, /^src\/(start-settings|cli\/[\w/-]+|shared\/config\/[\w-]+)\.ts$/)).toEqual([]);
    expect(
      offenders(
        /(HttpException|NotFoundException|BadRequestException|ConflictException|ForbiddenException)/,
        /^src\/shared\/http\/|\.controller\.ts$/,
      ),
    ).toEqual([]);
  });
});

const SPECIFIED_TABLES = [
  'users',
  'sessions',
  'email_lists',
  'subscriptions',
  'email_history',
  'usage_tracking',
  'auth_credentials',
  'auth_sessions',
  'email_providers',
  'email_delivery_logs',
  'referral_invites',
  'referral_conversions',
  'subscription_plans',
  'user_subscriptions',
];
