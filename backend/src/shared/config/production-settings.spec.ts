import { describe, expect, it } from '@jest/globals';
import { readSettings, SettingsError } from './read-settings.js';

const STRONG = '3f9c1b7ae05d248896fe10cd5b72a413';
const good = {
  NODE_ENV: 'production',
  APP_URL: 'https://mail.example.com',
  DATABASE_URL: 'postgres://db/x',
  REDIS_URL: 'redis://queue',
  SMTP_URL: 'smtps://u:p@smtp.example.com',
  MAIL_FROM: 'no-reply@example.com',
  POSTAL_ADDRESS: '1 Main Street, Springfield',
  JWT_SECRET: STRONG,
  METRICS_TOKEN: `m${STRONG}`,
  INBOUND_SECRET: `i${STRONG}`,
  JWT_SECRET_PREVIOUS: `p${STRONG}`,
};
const faults = (env: Record<string, string | undefined>): readonly string[] => {
  try {
    readSettings({ ...good, ...env });
    return [];
  } catch (error) {
    return (error as SettingsError).faults;
  }
};

describe('production', () => {
  it('starts with strong secrets and https', () => {
    expect(faults({})).toEqual([]);
    expect(faults({ METRICS_TOKEN: undefined, INBOUND_SECRET: undefined, JWT_SECRET_PREVIOUS: undefined })).toEqual([]);
  });

  it.each(['JWT_SECRET', 'JWT_SECRET_PREVIOUS', 'METRICS_TOKEN', 'INBOUND_SECRET'])('refuses a weak %s', (name) => {
    for (const weak of ['x', 'a'.repeat(44), 'changeme', STRONG.slice(1), '0123456789'.repeat(5)])
      expect(faults({ [name]: weak })).toEqual([
        expect.stringMatching(new RegExp(`^${name} .*32 random characters, more than 10`)),
      ]);
    expect(JSON.stringify(faults({ [name]: 'hunter2-hunter2' }))).not.toContain('hunter2');
  });

  it('requires APP_URL, with https unless ALLOW_HTTP is set', () => {
    expect(faults({ APP_URL: undefined })).toEqual([expect.stringContaining('APP_URL is required')]);
    expect(faults({ APP_URL: undefined, ALLOW_HTTP: 'on' })).toEqual([expect.stringContaining('APP_URL is required')]);
    for (const url of ['http://mail.example.com', 'HTTP://mail.example.com', 'http://localhost:8080'])
      expect(faults({ APP_URL: url })).toEqual([expect.stringMatching(/https:\/\/.*ALLOW_HTTP=on/)]);
    expect(faults({ APP_URL: 'http://localhost:8080', ALLOW_HTTP: 'on' })).toEqual([]);
    expect(faults({ APP_URL: 'http://localhost:8080', ALLOW_HTTP: 'yes' }).join()).toMatch(/ALLOW_HTTP must be one of/);
  });

  it('reports all faults at once', () => {
    const all = faults({
      APP_URL: 'http://x',
      JWT_SECRET: 'short',
      METRICS_TOKEN: 'x',
      INBOUND_SECRET: 'x',
      POSTAL_ADDRESS: '',
      MAIL_FROM: '',
      RATE_LIMITS: 'off',
      DEMO_DATA: 'on',
    }).join('\n');
    for (const name of [
      'APP_URL',
      'JWT_SECRET',
      'METRICS_TOKEN',
      'INBOUND_SECRET',
      'POSTAL_ADDRESS',
      'MAIL_FROM',
      'RATE_LIMITS',
      'DEMO_DATA',
    ])
      expect(all).toContain(name);
  });

  it('is stricter than development, which accepts a short metrics token', () => {
    expect(faults({ NODE_ENV: 'development', METRICS_TOKEN: 'x', APP_URL: 'http://x' })).toEqual([]);
  });
});
