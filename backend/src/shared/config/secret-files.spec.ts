import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readSettings, SettingsError } from './read-settings.js';

const folder = mkdtempSync(join(tmpdir(), 'staffcast-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const secret = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const base = {
  NODE_ENV: 'test',
  DATABASE_URL: 'postgres://x',
  REDIS_URL: 'redis://x',
  SMTP_URL: 'smtp://x',
  JWT_SECRET: 'of-no-use-but-long-enough-to-be-accepted',
};

describe('secrets in files', () => {
  it('are read without the line end', () => {
    const { DATABASE_URL: _url, ...rest } = base;
    const settings = readSettings({
      ...rest,
      DATABASE_URL_FILE: secret('url', 'postgres://u:p@db/x\n'),
      METRICS_TOKEN_FILE: secret('token', 'scraper\n'),
      METRICS_TOKEN: '',
    });
    expect(settings.databaseUrl).toBe('postgres://u:p@db/x');
    expect(settings.metricsToken).toBe('scraper');
  });

  it("may belong to further mail accounts; a file's path is no secret", () => {
    const { SMTP_URL: _url, ...rest } = base;
    const settings = readSettings({
      ...rest,
      SMTP_URL_FILE: secret('smtp', 'smtp://mail\n'),
      SMTP_PASSWORD_SPARE_FILE: secret('spare', 'of the spare\n'),
      SMTP_URL_RELAY: 'smtp://relay',
    });
    expect(settings.smtpUrl).toBe('smtp://mail');
    expect([...settings.mailSecrets]).toEqual([
      ['SMTP_URL_RELAY', 'smtp://relay'],
      ['SMTP_PASSWORD_SPARE', 'of the spare'],
    ]);
  });

  it('name a client that exists, where an address names one', () => {
    const read = (client: string) =>
      readSettings({
        ...base,
        SMTP_URL: 'smtp://mail?client=nodemailer',
        SMTP_URL_RELAY: `smtp://relay?client=${client}`,
      });
    expect(read('pipelined').smtpUrl).toBe('smtp://mail?client=nodemailer');
    expect(() => read('fast')).toThrow('SMTP_URL_RELAY: client must be pipelined or nodemailer');
  });

  it("report all faults at once, never a file's content", () => {
    const read = () =>
      readSettings({
        ...base,
        JWT_SECRET_FILE: secret('jwt', 'hidden-but-long-enough-to-be-accepted'),
        METRICS_TOKEN_FILE: join(folder, 'missing'),
      });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(
      /JWT_SECRET and JWT_SECRET_FILE are both given[\s\S]*METRICS_TOKEN_FILE names a file that cannot be read/,
    );
    expect(read).not.toThrow(/hidden/);
  });

  it('apply the rule of JWT_SECRET to JWT_SECRET_PREVIOUS', () => {
    expect(
      readSettings({ ...base, JWT_SECRET_PREVIOUS: 'y'.repeat(8) + 'another one, long enough to pass' })
        .jwtSecretPrevious,
    ).toMatch(/^y{8}another/);
    expect(readSettings({ ...base, JWT_SECRET_PREVIOUS: '' }).jwtSecretPrevious).toBeUndefined();
    expect(() => readSettings({ ...base, JWT_SECRET_PREVIOUS: 'short' })).toThrow(
      /JWT_SECRET_PREVIOUS must be at least 32 random characters/,
    );
  });
});
