import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import { type SeededList, seedList, send, sendBody, settled, startSending } from '../sending/support.js';
import { until } from '../../kit/until.js';

const sink = new SmtpSink();
let app: TestApp;
let smtpUrl: string;
beforeAll(async () => {
  smtpUrl = await sink.listen();
  app = await startSending({}, { env: { SMTP_URL: smtpUrl, NETWORK_DAILY_CAP: '50' } });
});
afterAll(async () => {
  await app.close();
  await sink.close();
});

const unlimited = { set: { tier: 'pro' } };
async function tokenOf(list: SeededList, email: string): Promise<string> {
  const [contact] = await rows<{ token: string }>(
    app.em(),
    `select unsubscribe_token as token from subscriptions where email_list_id = ? and email_norm = ?`,
    [list.id, email.toLowerCase()],
  );
  return contact!.token;
}
/** Unsubscribes like a mail program (RFC 8058). */
const leave = (token: string) =>
  app
    .http()
    .post(`/unsubscribe/${token}`)
    .set('Content-Type', 'application/x-www-form-urlencoded')
    .send('List-Unsubscribe=One-Click')
    .expect(200);

describe('a person who unsubscribes', () => {
  it('during a send gets nothing more', async () => {
    const other = await startSending({}, { env: { SMTP_URL: smtpUrl, SEND_RATE: '15' } });
    try {
      const user = await other.user(unlimited);
      const list = await seedList(other, user, { addresses: Array.from({ length: 60 }, (_, i) => `u8-${i}@x.test`) });
      const id = await send(user, list);
      await until(() => sink.stored.filter(({ address }) => address.startsWith('u8-')).length >= 5);
      const order = (await user.agent.get(`/api/email-history/${id}/deliveries`).expect(200)).body as {
        recipientEmail: string;
      }[];
      const leavers = order.slice(-5).map(({ recipientEmail }) => recipientEmail);
      const tokens = await rows<{ token: string }>(
        other.em(),
        `select unsubscribe_token as token from subscriptions where email_list_id = ? and email in (select jsonb_array_elements_text(?::jsonb))`,
        [list.id, JSON.stringify(leavers)],
      );
      await Promise.all(tokens.map(({ token }) => other.http().post(`/unsubscribe/${token}`).send().expect(200)));
      expect((await settled(user, id)).counts).toMatchObject({ sent: 55, skipped: 5 });
      expect(leavers.map(sink.attemptsOf)).toEqual([0, 0, 0, 0, 0]);
    } finally {
      await other.close();
    }
  });

  it('is not mailed again, whatever the owner does', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { addresses: ['u9@x.test', 'stays-u9@x.test'] });
    await leave(await tokenOf(list, 'u9@x.test'));
    const add = (email: string) =>
      user.agent.post(`/api/email-lists/${list.id}/subscribers`).send({ email, subscriptionType: 'job-posts' });
    expect((await add('U9@X.test').expect(409)).body.code).toBe('suppressed');
    const { body: job } = await user.agent
      .post(`/api/email-lists/${list.id}/subscribers/import`)
      .send({ lines: ['U9@x.test', 'new-u9@x.test'] })
      .expect(202);
    const look = async () =>
      (await user.agent.get(`/api/email-lists/${list.id}/subscribers/import/${job.id}`).expect(200)).body;
    await until(async () => (await look()).status === 'done');
    expect(await look()).toMatchObject({ added: 1, rows: [{ line: 1, reason: 'suppressed' }] });
    const again = await seedList(app, user, { addresses: ['U9@X.test', 'other-u9@x.test'] });
    const { body } = await user.agent
      .post('/api/send-email')
      .send(sendBody([list, again], { subject: 'Again' }))
      .expect(202);
    expect(body.recipientCount).toBe('2');
    await settled(user, body.id as string);
    expect(sink.attempts.filter(({ address }) => address.toLowerCase() === 'u9@x.test')).toEqual([]);
  });

  it('can do so after 60 days, and after the list was deleted', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { addresses: ['late-u10@x.test', 'gone-u10@x.test'] });
    const [late, gone] = [await tokenOf(list, 'late-u10@x.test'), await tokenOf(list, 'gone-u10@x.test')];
    const id = await send(user, list);
    await settled(user, id);
    await rows(app.em(), `update email_history set sent_at = sent_at - interval '60 days' where id = ?`, [id]);
    await rows(
      app.em(),
      `update subscriptions set created_at = created_at - interval '60 days', confirmed_at = confirmed_at - interval '60 days' where email_list_id = ?`,
      [list.id],
    );
    await leave(late);
    await user.agent.delete(`/api/email-lists/${list.id}`).expect(204);
    expect((await leave(gone)).body).toMatchObject({ email: 'gone-u10@x.test' });
    const next = await seedList(app, user, { addresses: ['late-u10@x.test', 'gone-u10@x.test'] });
    expect((await user.agent.post('/api/send-email').send(sendBody(next, { subject: 'Next' }))).body.code).toBe(
      'no_recipients',
    );
  });

  it("through one sender's mail to the network is unsubscribed from it for all senders", async () => {
    const [ann, bob] = [await app.user(unlimited), await app.user(unlimited)];
    const network = await seedList(app, null, { addresses: ['u11@x.test', 'stays-u11@x.test'] });
    await settled(ann, await send(ann, network, { subject: 'From Ann' }));
    const url = /^List-Unsubscribe: <([^>]+)>/m.exec(sink.storedOf('u11@x.test')[0]!.raw)![1]!;
    await leave(new URL(url).pathname.split('/').at(-1)!);
    expect((await settled(bob, await send(bob, network, { subject: 'From Bob' }))).counts).toMatchObject({ sent: 1 });
    expect([sink.attemptsOf('u11@x.test'), sink.attemptsOf('stays-u11@x.test')]).toEqual([1, 2]);
  });

  it('and undoes it is not marked as unsubscribed in the log', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { addresses: ['undo@x.test', 'left@x.test'] });
    const id = await send(user, list);
    await settled(user, id);
    await leave(await tokenOf(list, 'left@x.test'));
    const undo = await tokenOf(list, 'undo@x.test');
    await leave(undo);
    const logged = async () => {
      const rowsOf = (await user.agent.get(`/api/email-history/${id}/deliveries`).expect(200)).body as {
        recipientEmail: string;
        detail: string | null;
      }[];
      const { body } = await user.agent.get(`/api/email-history/${id}`).expect(200);
      return [
        body.counts.unsubscribed as number,
        rowsOf
          .filter(({ detail }) => detail === 'Unsubscribed after this email')
          .map(({ recipientEmail }) => recipientEmail)
          .sort(),
      ];
    };
    expect(await logged()).toEqual([2, ['left@x.test', 'undo@x.test']]);
    await app.http().post(`/api/unsubscribe/${undo}/undo`).send().expect(200);
    expect(await logged()).toEqual([1, ['left@x.test']]);
  });
});
