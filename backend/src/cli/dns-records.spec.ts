import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { readSettings } from '../shared/config/read-settings.js';
import { dnsRecords } from './dns-records.js';

const settings = (env: Record<string, string>) => readSettings({
  NODE_ENV: 'test', DATABASE_URL: 'postgres://x', JWT_SECRET: 'x'.repeat(40), MAIL_FROM: 'jobs@acme.test', APP_URL: 'https://app.acme.test', ...env,
}, { services: false });

describe('the DNS records', () => {
  it('name all five kinds for a full configuration', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048, privateKeyEncoding: { type: 'pkcs8', format: 'pem' }, publicKeyEncoding: { type: 'spki', format: 'pem' } });
    const text = dnsRecords(settings({
      SMTP_URL: 'smtps://u:secret@relay.acme.test', BOUNCE_DOMAIN: 'b.acme.test', DKIM_DOMAIN: 'acme.test', DKIM_SELECTOR: 's1', DKIM_PRIVATE_KEY: privateKey,
    }));
    expect(text).toContain('acme.test.  TXT  "v=spf1 a:relay.acme.test -all"');
    expect(text).toMatch(/s1\._domainkey\.acme\.test\. {2}TXT {2}"v=DKIM1; k=rsa; p=[\w+/]+" "[\w+/=]+"/);
    expect(text).toContain('_dmarc.acme.test.  TXT  "v=DMARC1;');
    expect(text).toContain('b.acme.test.  MX  10 app.acme.test.');
    expect(text).toContain('PTR  relay.acme.test.');
    expect(text).not.toContain('secret');
  });

  it('say what is not configured', () => {
    const text = dnsRecords(settings({}));
    expect(text).toContain('not configured: set DKIM_DOMAIN');
    expect(text).toContain('without BOUNCE_DOMAIN');
  });
});
