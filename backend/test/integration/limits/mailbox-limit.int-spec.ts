import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { hashMailbox } from '../../../src/shared/mail/address.js';
import { Retention } from '../../../src/shared/retention/retention.js';
import type { TestApp } from '../../kit/app.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';
import { seedList, send, sendBody, startSending } from '../sending/support.js';
import { untilAccountSettled } from '../../kit/account-settled.js';

let app: TestApp;
beforeAll(async () => {
  app = await startSending();
});
afterAll(() => app.close());

const attempt = async (user: SignedUp, subject: string) =>
  user.agent.post('/api/send-email').send(sendBody(await seedList(app, user, { count: 1 }), { subject }));
const entitlementsOf = async (user: SignedUp) =>
  (await user.agent.get('/api/auth/me').expect(200)).body.entitlements as { sentToday: number; remainingToday: number };

describe('the daily limit of Free', () => {
  it("outlives the account: deleting it and registering again does not reset the day's count", async () => {
    const email = 'again@sender.test';
    const first = await app.user({ email });
    await send(first, await seedList(app, first, { count: 1 }));
    await first.agent.post('/api/auth/delete-account').send({ password: PASSWORD }).expect(200);
    await untilAccountSettled(app, first);
    const second = await app.user({ email });
    expect(await entitlementsOf(second)).toMatchObject({ sentToday: 1, remainingToday: 0 });
    const refused = await attempt(second, 'After all');
    expect(refused.status).toBe(429);
    expect(refused.body.code).toBe('daily_limit');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it.each([
    ['dup', 'dup+1', 'sender.test'],
    ['d.o.t.t.y', 'dotty+x', 'gmail.com'],
  ])('is shared by all accounts of a mailbox, also concurrently (%s, %s)', async (one, two, domain) => {
    const users = await Promise.all([one, two, `${two}2`].map((name) => app.user({ email: `${name}@${domain}` })));
    const answers = await Promise.all(users.map((user, n) => attempt(user, `Job ${n}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 429, 429]);
    for (const user of users) expect(await entitlementsOf(user)).toMatchObject({ remainingToday: 0 });
  });

  it('does not apply to an account of the mailbox that pays or has a custom limit', async () => {
    const free = await app.user({ email: 'plan@sender.test' });
    await send(free, await seedList(app, free, { count: 1 }));
    expect(
      (await attempt(await app.user({ email: 'plan+pro@sender.test', set: { tier: 'pro' } }), 'Paid')).status,
    ).toBe(202);
    expect(
      (await attempt(await app.user({ email: 'plan+own@sender.test', set: { custom_daily_limit: '1' } }), 'Granted'))
        .status,
    ).toBe(202);
  });

  it('gives a send back to the mailbox where none of its messages was sent', async () => {
    const user = await app.user({ email: 'back@sender.test' });
    const list = await seedList(app, user, { count: 3 });
    const id = await send(user, list);
    const { body } = await user.agent.post(`/api/email-history/${id}/cancel`);
    const usage = await rows<{ own: number; all: number }>(
      app.em(),
      `select u.emails_sent as own, m.emails_sent as all from usage_tracking u, mailbox_usage m where u.user_id = ? and m.mailbox_hash = ?`,
      [user.id, hashMailbox('back@sender.test')],
    );
    expect(body).toBeDefined();
    expect(usage[0]!.all).toBe(usage[0]!.own);
  });

  it('is deleted from the database after two days', async () => {
    await rows(
      app.em(),
      `insert into mailbox_usage (mailbox_hash, date, emails_sent) values ('\\x01', current_date - 3, 1), ('\\x01', current_date - 2, 1)`,
    );
    await app.get(Retention).purge();
    expect(await rows(app.em(), `select date from mailbox_usage where mailbox_hash = '\\x01'`)).toHaveLength(1);
  });

  it('finds the same mailboxes in SQL as the application does', async () => {
    const addresses = [
      'a@x.test',
      'a+1+2@x.test',
      'a.b.c+d@gmail.com',
      'a.b@googlemail.com',
      '+@x.test',
      '.a.@gmail.com',
      "o'neil+x@x-y.test",
    ];
    for (const norm of addresses) {
      const [row] = await rows<{ hash: Buffer }>(app.em(), 'select mailbox_hash(?) as hash', [norm]);
      expect([norm, row!.hash.toString('hex')]).toEqual([norm, hashMailbox(norm).toString('hex')]);
    }
  });
});
