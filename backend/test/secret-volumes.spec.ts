import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';

const ROOT = ((): string => {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'docker-compose.yml'))) folder = dirname(folder);
  return folder;
})();
const home = mkdtempSync(join(tmpdir(), 'staffcast-secrets-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const folder = (name: string): string => join(home, name);
const isRoot = process.getuid?.() === 0;
const self = String(process.getuid?.() ?? 0);
/** Runs the shipped script on folders instead of volumes. Changing owners works only as root. */
function make(): void {
  for (const name of ['app', 'postgres', 'redis']) mkdirSync(folder(name), { recursive: true });
  const env = {
    PATH: process.env.PATH,
    APP_SECRETS: folder('app'),
    POSTGRES_SECRETS: folder('postgres'),
    REDIS_SECRETS: folder('redis'),
  };
  const owners = isRoot
    ? {}
    : { APP_UID: self, POSTGRES_UID: self, REDIS_UID: self, ROOT_OWNER: `${self}:${process.getgid?.()}` };
  execFileSync('sh', [join(ROOT, 'docker', 'make-secrets.sh')], { env: { ...env, ...owners } });
}
const read = (path: string): string => readFileSync(folder(path), 'utf8');

describe('the container secrets', () => {
  it('are created once, and each reader can read only its own', () => {
    writeFileSync(join(mkdirp('app'), 'jwt-secret-previous'), 'put there by hand', { mode: 0o644 });
    make();
    expect(readdirSync(folder('postgres'))).toEqual(['password']);
    expect(readdirSync(folder('redis')).sort()).toEqual(['password', 'redis.conf']);
    const jwt = read('app/jwt-secret');
    expect(jwt).toMatch(/^[0-9a-f]{64}$/);
    expect(read('app/database-url')).toBe(`postgres://staffcast:${read('postgres/password')}@postgres:5432/staffcast`);
    expect(read('redis/redis.conf')).toBe(`requirepass ${read('redis/password')}`);
    const before = readdirSync(folder('app')).map((name) => [name, read(`app/${name}`)]);
    make();
    expect(readdirSync(folder('app')).map((name) => [name, read(`app/${name}`)])).toEqual(before);
    for (const path of [
      'app/jwt-secret',
      'app/jwt-secret-previous',
      'app/postgres-password',
      'postgres/password',
      'redis/redis.conf',
    ])
      expect([path, (statSync(folder(path)).mode & 0o777).toString(8)]).toEqual([path, '440']);
    if (!isRoot) return;
    const owners = {
      'app/jwt-secret': 1000,
      'app/jwt-secret-previous': 1000,
      'app/postgres-password': 0,
      'postgres/password': 70,
      'redis/password': 999,
      'redis/redis.conf': 999,
    };
    for (const [path, uid] of Object.entries(owners))
      expect([path, statSync(folder(path)).uid, statSync(folder(path)).gid]).toEqual([path, uid, 0]);
  });

  it("are migrated unchanged from an earlier version's single volume", () => {
    rmSync(home, { recursive: true, force: true });
    const old = mkdirp('app');
    for (const [name, text] of Object.entries({
      'postgres-password': 'old-pg',
      'redis-password': 'old-redis',
      'jwt-secret': 'old-jwt',
      'redis.conf': 'requirepass old-redis',
    }))
      writeFileSync(join(old, name), text, { mode: 0o644 });
    make();
    expect([
      read('postgres/password'),
      read('redis/password'),
      read('redis/redis.conf'),
      read('app/jwt-secret'),
    ]).toEqual(['old-pg', 'old-redis', 'requirepass old-redis', 'old-jwt']);
    expect(existsSync(folder('app/redis.conf'))).toBe(false);
  });

  it('are mounted only into the containers that read them', () => {
    const compose = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
    const block = (name: string): string => new RegExp(`^  ${name}:\\n((?:(?:    .*)?\\n)+)`, 'm').exec(compose)![1]!;
    const mounts = (name: string): string[] =>
      [...block(name).matchAll(/"?(secrets[a-z-]*):\/\S*?[",\]]/g)].map(([, volume]) => volume!);
    expect(mounts('postgres')).toEqual(['secrets-postgres']);
    expect(mounts('redis')).toEqual(['secrets-redis']);
    for (const name of ['lb', 'mailbox']) expect(mounts(name)).toEqual([]);
    expect(mounts('secrets').sort()).toEqual(['secrets', 'secrets-postgres', 'secrets-redis']);
  });
});

function mkdirp(name: string): string {
  mkdirSync(folder(name), { recursive: true });
  return folder(name);
}
