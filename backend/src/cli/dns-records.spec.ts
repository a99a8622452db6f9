import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { readSettings } from '../shared/config/read-settings.js';
import { dnsRecords } from './dns-records.js';

const settings = (env: Record<string, string>) =>
  readSettings(
    {
      NODE_ENV: 'test',
      DATABASE_URL: 'postgres://x',
      JWT_SECRET: 'x'.repeat(40),
      MAIL_FROM: 'jobs@acme.test',
      APP_URL: 'https://app.acme.test',
      ...env,
    },
    { services: false },
  );

describe('the DNS records', () => {
  it('name all five kinds of record for a full configuration', () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const text = dnsRecords(
      settings({
        SMTP_URL: 'smtps://u:secret@relay.acme.test',
        BOUNCE_DOMAIN: 'b.acme.test',
        DKIM_DOMAIN: 'acme.test',
        DKIM_SELECTOR: 's1',
        DKIM_PRIVATE_KEY: privateKey,
      }),
    );
    expect(text).toContain('acme.test.  TXT  "v=spf1 a:relay.acme.test ~all"');
    expect(text).toMatch(/s1\._domainkey\.acme\.test\. {2}TXT {2}"v=DKIM1; k=rsa; p=[\w+/]+" "[\w+/=]+"/);
    expect(text).toContain('_dmarc.acme.test.  TXT  "v=DMARC1;');
    expect(text).toContain('b.acme.test.  MX  10 app.acme.test.');
    expect(text).toContain('PTR  relay.acme.test.');
    expect(text).not.toContain('secret');
  });

  it.each([
    ['smtp://u:p@email-smtp.us-east-1.amazonaws.com:587', 'include:amazonses.com'],
    ['smtps://u:p@smtp.sendgrid.net', 'include:sendgrid.net'],
    ['smtps://u:p@smtp.mailgun.org', 'include:mailgun.org'],
    ['smtps://u:p@smtp.eu.mailgun.org', 'include:eu.mailgun.org'],
    ['smtp://u:p@smtp.postmarkapp.com', 'include:spf.mtasv.net'],
    ['smtps://u:p@smtp-relay.gmail.com', 'include:_spf.google.com'],
    ['smtp://u:p@smtp.office365.com', 'include:spf.protection.outlook.com'],
    ['smtp://u:p@in-v3.mailjet.com', 'include:spf.mailjet.com'],
    ['smtp://u:p@smtp-relay.brevo.com', 'include:spf.brevo.com'],
    ['smtp://u:p@SMTP.sparkpostmail.com', 'include:_spf.sparkpostmail.com'],
    ['smtp://u:p@9.9.9.9', 'ip4:9.9.9.9'],
  ])('name the SPF include of %s', (url, term) => {
    const text = dnsRecords(settings({ SMTP_URL: url }));
    expect(text).toContain(`acme.test.  TXT  "v=spf1 ${term} ~all"`);
    expect(text).not.toMatch(/-all|ask the provider/);
  });

  it('name the servers of all mail accounts, and refer to the provider where its record is unknown', () => {
    const text = dnsRecords(
      settings({
        SMTP_URL: 'smtp://localhost:1025',
        SMTP_URL_A: 'smtp://u:p@smtp.sendgrid.net',
        SMTP_PASSWORD_B: 'p',
        SMTP_HOST_B: 'mail.acme.test:587',
        SMTP_URL_C: 'smtp://u:p@smtp.unheard-of.example',
      }),
    );
    expect(text).toContain('acme.test.  TXT  "v=spf1 include:sendgrid.net a:mail.acme.test ~all"');
    expect(text).toContain('ask the provider of smtp.unheard-of.example');
    expect(dnsRecords(settings({ SMTP_URL: 'smtp://u:p@sendgrid.net.evil.example' }))).toContain(
      'ask the provider of sendgrid.net.evil.example',
    );
  });

  it('say which records are not configured', () => {
    const text = dnsRecords(settings({}));
    expect(text).toContain('not configured: set DKIM_DOMAIN');
    expect(text).toContain('without BOUNCE_DOMAIN');
  });
});
