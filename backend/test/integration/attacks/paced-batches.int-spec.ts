import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MailProviders } from '../../../src/modules/mail-accounts/mail-providers.service.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import { until } from '../../kit/until.js';
import { seedList, send, settled, startSending } from '../sending/support.js';

const RATE = 8;
const RECIPIENTS = 72;
const sink = new SmtpSink({ bodies: false, log: true });
let app: TestApp;
let other: TestApp;

beforeAll(async () => {
  const env = { SMTP_URL: await sink.listen() };
  app = await startSending({}, { env });
  other = await startSending({}, { env, beside: app });
  const [account] = await app.get(MailProviders).list();
  await app.get(MailProviders).change(account!.id, {
    config: { host: account!.config.host, port: Number(account!.config.port), domainMessagesPerSecond: RATE },
  });
  // eslint-disable-next-line staffcast/no-bare-wait -- changed limits take effect within two seconds
  await pause(2_100);
});
afterAll(async () => {
  await other.close();
  await app.close();
  await sink.close();
});

const stored = (part: string): string[] =>
  sink.stored.map(({ address }) => address).filter((address) => address.startsWith(part));

describe('a send whose messages are spread over seconds', () => {
  it('survives a pause, a removed contact and a lost worker without losing or repeating a message', async () => {
    const user = await app.user({ set: { tier: 'pro' } });
    const list = await seedList(app, user, {
      addresses: Array.from({ length: RECIPIENTS }, (_, i) => `paced${i}@slow.test`),
    });
    const id = await send(user, list);
    await until(() => stored('paced').length >= 10);
    await user.agent.post(`/api/email-history/${id}/pause`).expect(200);
    const paused = stored('paced').length;
    const mailed = new Set(stored('paced'));
    const goes = (
      await rows<{ id: string; email: string }>(
        app.em(),
        'select id, email from subscriptions where email_list_id = ? order by email_norm desc',
        [list.id],
      )
    )
      .filter(({ email }) => !mailed.has(email))
      .slice(0, 3);
    for (const contact of goes)
      await user.agent.delete(`/api/email-lists/${list.id}/subscribers/${contact.id}`).expect(204);
    await user.agent.post(`/api/email-history/${id}/resume`).expect(200);
    // Only messages that were already on a connection may leave after the pause was answered.
    expect(paused).toBeLessThan(RECIPIENTS / 2);
    await until(() => stored('paced').length >= paused + 10);
    await other.stop();
    const { counts } = await settled(user, id);
    expect(counts.sent! + counts.skipped!).toBe(RECIPIENTS);
    expect(counts.skipped).toBe(goes.length);
    expect(stored('paced').filter((address) => goes.some(({ email }) => email === address))).toEqual([]);
    expect(sink.extraCopies).toBe(0);
  });

  it('is cancelled in the middle of a batch: the remaining messages are skipped at once', async () => {
    const user = await app.user({ set: { tier: 'pro' } });
    const list = await seedList(app, user, {
      addresses: Array.from({ length: RECIPIENTS }, (_, i) => `cancelled${i}@slow.test`),
    });
    const id = await send(user, list);
    await until(() => stored('cancelled').length >= 10);
    await user.agent.post(`/api/email-history/${id}/cancel`).expect(200);
    const { counts } = await settled(user, id);
    expect(counts.sent! + counts.skipped!).toBe(RECIPIENTS);
    expect(stored('cancelled')).toHaveLength(counts.sent!);
    expect(counts.sent).toBeLessThan(RECIPIENTS / 2);
  });
});
