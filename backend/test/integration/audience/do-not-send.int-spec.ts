import { describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { until } from '../../kit/until.js';
import type { SignedUp } from '../../kit/users.js';
import { app, pro, sink } from '../sending/controls/controls-support.js';
import { seedList, send, settled } from '../sending/support.js';

const log = async (user: SignedUp, id: string, query = '') =>
  (await user.agent.get(`/api/email-history/${id}/deliveries${query}`).expect(200)).body as {
    recipientEmail: string;
    status: string;
    detail: string;
  }[];
const rule = (user: SignedUp, body: object) => user.agent.post('/api/do-not-send').send(body).expect(201);
const CLIENT = '@mail.client.example';
const tried = () => sink.attempts.map(({ address }) => address).filter((address) => address.endsWith(CLIENT));
/** The people of this client whose delivery has begun or ended, so that the rules were applied to them. */
const judged = async (sendId: string) =>
  (
    await rows<{ email: string }>(
      app.em(),
      `select recipient_email as email from email_delivery_logs where history_id = ? and recipient_email like ? and status <> 'queued'`,
      [sendId, `%${CLIENT}`],
    )
  ).map(({ email }) => email);

describe('a do-not-send rule', () => {
  it('that is added during a slow send applies from the next batch on, with its words in the log', async () => {
    sink.modes = { delayMs: 60 };
    const user = await app.user(pro);
    const addresses = Array.from(
      { length: 500 },
      (_, i) => `drain${i}@${i % 2 ? 'mail.client.example' : 'notclient.example'}`,
    );
    const id = await send(user, await seedList(app, user, { addresses }));
    await until(() => tried().length > 5);
    await rule(user, { value: 'Client.Example.', reason: 'end_client' });
    await until(async () => (await log(user, id, '?status=skipped&limit=1')).length > 0);
    const before = new Set(await judged(id));
    sink.modes = {};
    const { counts } = await settled(user, id);
    expect(tried().filter((address) => !before.has(address))).toEqual([]);
    expect(counts.skipped).toBeGreaterThan(0);
    expect(counts.sent! + counts.skipped!).toBe(500);
    expect(sink.stored.filter(({ address }) => address.endsWith('@notclient.example'))).toHaveLength(250);
    const skipped = await log(user, id, '?status=skipped&limit=500');
    expect(skipped).toHaveLength(counts.skipped!);
    for (const { recipientEmail, detail } of skipped) {
      expect(recipientEmail).toMatch(/@mail\.client\.example$/);
      expect(detail).toMatch(/^On your do-not-send list since \d\d:\d\d: client\.example \(end client\)$/);
    }
  });

  it('stops mail to its address in any spelling, and to no other address', async () => {
    const user = await app.user(pro);
    await rule(user, { value: 'jane@x.example', reason: 'other' });
    await rule(user, { value: 'bücher.example', reason: 'competitor' });
    const id = await send(
      user,
      await seedList(app, user, {
        addresses: [
          'Jane@X.example',
          'joan@x.example',
          'a@xn--bcher-kva.example',
          'b@shop.xn--bcher-kva.example',
          'c@bcher.example',
        ],
      }),
    );
    await settled(user, id);
    const byStatus = (status: string) =>
      log(user, id, `?limit=9&status=${status}`).then((found) =>
        found.map(({ recipientEmail }) => recipientEmail).sort(),
      );
    expect(await byStatus('sent')).toEqual(['c@bcher.example', 'joan@x.example']);
    expect(await byStatus('skipped')).toEqual([
      'Jane@X.example',
      'a@xn--bcher-kva.example',
      'b@shop.xn--bcher-kva.example',
    ]);
  });

  it('that has expired, was deleted or belongs to another account stops nothing', async () => {
    const [user, other] = await Promise.all([app.user(pro), app.user(pro)]);
    await rule(other, { value: 'free.example', reason: 'other' });
    await rule(user, { value: 'ended.example', reason: 'other', until: '2099-01-01' });
    await rows(app.em(), `update do_not_send_rules set expires_at = now() - interval '1 second' where owner_id = ?`, [
      user.id,
    ]);
    const { body } = await rule(user, { value: 'deleted.example', reason: 'other' });
    await user.agent.delete(`/api/do-not-send/${body.id}`).expect(204);
    const id = await send(
      user,
      await seedList(app, user, { addresses: ['a@free.example', 'b@ended.example', 'c@deleted.example'] }),
    );
    expect((await settled(user, id)).counts).toMatchObject({ sent: 3, skipped: 0 });
  });

  it('costs an account without rules at most one query a second', async () => {
    const user = await app.user(pro);
    const { SenderRules } = await import('../../../src/modules/contacts/index.js');
    const senderRules = app.get(SenderRules);
    expect(await senderRules.of(user.id)).toBeNull();
    await rule(user, { value: 'late.example', reason: 'other' });
    expect(await senderRules.of(user.id)).toBeNull();
    // eslint-disable-next-line staffcast/no-bare-wait -- the rules are read again after a second
    await pause(1_000);
    expect((await senderRules.of(user.id))?.('a@late.example', false)).toMatch(/late\.example/);
    expect((await senderRules.of(user.id))?.('a@late.example', true)).toMatch(/late\.example/);
  });
});
