import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { closeAll, type TestApp } from '../../kit/app.js';
import type { SmtpSink } from '../../kit/sink/smtp-sink.js';
import { seedList, send, settled, startSending, startWithSink } from '../sending/support.js';
import { suppressionsOf } from './support.js';

let app: TestApp;
let sink: SmtpSink;
beforeAll(async () => {
  ({ app, sink } = await startWithSink());
});
afterAll(() => closeAll(app, sink));

const unlimited = { set: { tier: 'pro' } };

describe('a refusal in the SMTP dialogue', () => {
  it('550 5.1.1: one attempt, and the next send leaves the address out', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { addresses: ['p550-B3@x.test'] });
    expect(await settled(user, await send(user, list))).toMatchObject({ status: 'failed', counts: { failed: 1 } });
    expect(sink.attemptsOf('p550-B3@x.test')).toBe(1);
    expect(await suppressionsOf(app, 'p550-b3@x.test')).toEqual([{ scope: 'all', reason: 'bounced', days: 90 }]);
    const { body } = await user.agent.get(`/api/email-lists/${list.id}/subscribers`).expect(200);
    expect(body).toMatchObject([{ email: 'p550-B3@x.test', suppressed: 'bounced' }]);
    const next = await user.agent
      .post('/api/send-email')
      .send({ emailListIds: [list.id], subject: 'Next', content: 'x', emailType: 'job-post' });
    expect(next.body.code).toBe('no_recipients');
    const mixed = await seedList(app, user, { addresses: ['p550-B3@x.test', 'ok-b3@x.test'] });
    expect((await settled(user, await send(user, mixed, { subject: 'Mixed' }))).recipientCount).toBe('1');
    expect(sink.attemptsOf('p550-B3@x.test')).toBe(1);
    const [refused] = await rows<{ code: string }>(
      app.em(),
      `select code from bounce_reports where address_hash = sha256('p550-b3@x.test')`,
    );
    expect(refused!.code).toBe('5.1.1');
  });

  it('554 5.7.1: one attempt, and the next send tries again', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { addresses: ['pol554-b4@x.test'] });
    for (const attempts of [1, 2]) {
      expect((await settled(user, await send(user, list, { subject: `Try ${attempts}` }))).status).toBe('failed');
      expect(sink.attemptsOf('pol554-b4@x.test')).toBe(attempts);
    }
    expect(await suppressionsOf(app, 'pol554-b4@x.test')).toEqual([]);
  });

  it('450 twice: delivered at the third try', async () => {
    const user = await app.user(unlimited);
    const id = await send(user, await seedList(app, user, { addresses: ['t450x2-b1@x.test'] }));
    expect(await settled(user, id)).toMatchObject({ status: 'sent', counts: { sent: 1 } });
    const at = sink.attempts.filter(({ address }) => address === 't450x2-b1@x.test').map((one) => one.at);
    expect(at).toHaveLength(3);
    for (const [before, after] of [
      [at[0]!, at[1]!],
      [at[1]!, at[2]!],
    ] as const)
      expect(after - before).toBeGreaterThanOrEqual(790);
  });
});

describe('450 for ever', () => {
  it('fails as expired, and the next send mails it again', async () => {
    const other = await startSending(
      {},
      { env: { SMTP_URL: app.settings.smtpUrl, RETRY_SCHEDULE: '1', RETRY_GIVE_UP: '2' } },
    );
    try {
      const user = await other.user(unlimited);
      const list = await seedList(other, user, { addresses: ['t450x99-b2@x.test'] });
      const id = await send(user, list);
      expect(await settled(user, id)).toMatchObject({ status: 'failed' });
      const before = sink.attemptsOf('t450x99-b2@x.test');
      expect(await rows(other.em(), `select class from bounce_reports where history_id = ?`, [id])).toEqual([
        { class: 'expired' },
      ]);
      expect(await suppressionsOf(other, 't450x99-b2@x.test')).toEqual([]);
      const next = await send(user, list, { subject: 'Next' });
      expect((await settled(user, next)).recipientCount).toBe('1');
      expect(sink.attemptsOf('t450x99-b2@x.test')).toBeGreaterThan(before);
    } finally {
      await other.close();
    }
  });
});
