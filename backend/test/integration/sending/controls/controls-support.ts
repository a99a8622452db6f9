import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { TestApp } from '../../../kit/app.js';
import { SmtpSink } from '../../../kit/sink/smtp-sink.js';
import type { SignedUp } from '../../../kit/users.js';
import { startSending } from '../support.js';

export let app: TestApp;
export let sink: SmtpSink;
beforeAll(async () => {
  sink = new SmtpSink();
  app = await startSending(
    { claim: 50, range: 100, parallel: 5, window: 5 },
    { env: { SMTP_URL: await sink.listen() } },
  );
});
afterAll(async () => {
  await app.close();
  await sink.close();
});
beforeEach(() => sink.reset());
afterEach(() => {
  sink.modes = {};
  sink.answer = () => undefined;
});

export const pro = { set: { tier: 'pro' } };
export const press = (user: SignedUp, id: string, what: 'pause' | 'resume' | 'cancel' | 'retry') =>
  user.agent.post(`/api/email-history/${id}/${what}`);
export const entryOf = async (user: SignedUp, id: string) =>
  (await user.agent.get(`/api/email-history/${id}`).expect(200)).body;
