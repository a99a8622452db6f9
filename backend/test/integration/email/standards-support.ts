import { afterAll, beforeAll } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import type { TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import { startSending } from '../sending/support.js';
import { type SentMail, sentMail } from './support.js';

export const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
export const sink = new SmtpSink();
export let app: TestApp;
export let smtpUrl: string;
beforeAll(async () => {
  smtpUrl = await sink.listen();
  app = await startSending(
    {},
    {
      env: {
        SMTP_URL: smtpUrl,
        BOUNCE_DOMAIN: 'bounces.staffcast.test',
        DKIM_DOMAIN: 'staffcast.test',
        DKIM_SELECTOR: 'k1',
        DKIM_PRIVATE_KEY: keys.privateKey,
      },
    },
  );
});
afterAll(async () => {
  await app.close();
  await sink.close();
});

export const unlimited = { set: { tier: 'pro', agency_name: 'Acme' } };
export const mail = (user: SignedUp, what: SentMail = {}) => sentMail(app, sink, user, what);
