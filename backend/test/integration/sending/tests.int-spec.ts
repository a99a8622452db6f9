import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestMailWorker } from '../../../src/modules/sending/tests/test-mail-worker.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { doc, mergeTag, paragraph, text } from '../../kit/documents.js';
import type { CaughtMail } from '../../kit/mail-catcher.js';
import { until } from '../../kit/until.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, type SeededList, send, sendBody, sentToday, settled, startSending } from './support.js';

let app: TestApp;
let ann: SignedUp;
let list: SeededList;

beforeAll(async () => void (app = await startSending()));
afterAll(() => app.close());
beforeEach(async () => {
  app.mails.answer = () => undefined;
  ann = await app.user({ firstName: 'Ann', set: { tier: 'pro' } });
  list = await seedList(app, ann, { addresses: [`p-${randomUUID().slice(0, 8)}@people.test`] });
});

const query = <T extends object>(sql: string, params: unknown[] = []) => rows<T>(app.em(), sql, params);
const anybody = () => `t-${randomUUID().slice(0, 8)}@testers.test`;
const test = (user: SignedUp, to: string[], extra: Record<string, unknown> = {}) =>
  user.agent.post('/api/send-email/test').send(sendBody(list, { to, ...extra }));
/** Tests that arrived; the account's own address has got a system mail too. */
const testsTo = (address: string) => app.mails.to(address).filter(({ subject }) => subject.startsWith('[Test] '));
const untilArrived = async (address: string, count: number) => {
  await until(`${count} tests`, () => testsTo(address).length >= count);
  return testsTo(address);
};
const latest = async (user: SignedUp) =>
  (await user.agent.get('/api/send-email/tests').expect(200)).body as {
    address: string | null;
    status: string;
    reason: string | null;
  }[];
const untilOver = async (user: SignedUp) => {
  let found = await latest(user);
  await until('the tests are over', async () =>
    (found = await latest(user)).every(({ status }) => status === 'sent' || status === 'failed'),
  );
  return found;
};

async function tester(user: SignedUp, address = anybody(), isConfirmed = true): Promise<string> {
  await query(
    `insert into testers (user_id, address, address_hash, token_hash, confirmed_at)
     values (?, ?, sha256(lower(?)::bytea), ?, case when ? then now() end)`,
    [user.id, address, address, randomUUID(), isConfirmed],
  );
  return address;
}

describe('a test', () => {
  it('goes to the own address and five testers, and is no send', async () => {
    const testers = [];
    for (let n = 0; n < 5; n++) testers.push(await tester(ann));
    const to = [ann.email, ...testers, ann.email.toUpperCase()].slice(0, 6);
    const { body } = await test(ann, to).expect(202);
    expect(body).toEqual({ sent: 6, message: 'Test sent to 6 addresses' });
    const over = await untilOver(ann);
    expect(over.map(({ address, status }) => `${address} ${status}`).sort()).toEqual(
      to.map((one) => `${one} sent`).sort(),
    );
    for (const address of to) expect(testsTo(address)).toHaveLength(1);
    const [mail] = app.mails.to(testers[0]!);
    expect(mail!.subject).toBe('[Test] Senior Java developer');
    expect(mail!.text).toContain('/unsubscribe/test?m=');
    expect(await sentToday(ann)).toBe('0');
    expect((await ann.agent.get('/api/email-history').expect(200)).body).toEqual([]);
    expect(await query(`select 1 from test_mails where user_id = ? and payload is not null`, [ann.id])).toEqual([]);
    expect(await query(`select 1 from network_mails`)).toEqual([]);
  });

  it('differs from the send in subject mark, recipient and unsubscribe token only', async () => {
    const reader = await tester(ann);
    const [person] = await query<{ email: string; id: string }>(
      `update subscriptions set first_name = 'Priya' where email_list_id = ? returning email, id`,
      [list.id],
    );
    const written = {
      content: undefined,
      subject: 'Java for {{first_name|you}}',
      document: doc(
        paragraph('Hi ', mergeTag('first_name', 'there')),
        paragraph(text('Bold & <odd> ümläut', { type: 'bold' })),
      ),
      preheader: 'Hybrid, Hartford CT',
    };
    await settled(ann, await send(ann, list, written));
    await test(ann, [reader], { ...written, asContactId: person!.id }).expect(202);
    const [sent] = await app.mails.waitFor(person!.email);
    const [tried] = await app.mails.waitFor(reader);
    const same = (mail: CaughtMail, part: 'text' | 'html') =>
      mail[part]
        .replaceAll('[Test] ', '')
        .replace(/\/unsubscribe\/[^\s"?]+\?m=\w+/g, '/unsubscribe/token')
        .replaceAll(mail.to[0]!, 'recipient');
    expect(tried!.subject).toBe(`[Test] ${sent!.subject}`);
    expect(tried!.subject).toBe('[Test] Java for Priya');
    expect([tried!.from, tried!.headers.get('reply-to')]).toEqual([sent!.from, sent!.headers.get('reply-to')]);
    expect([...tried!.headers.keys()]).toEqual([...sent!.headers.keys()]);
    for (const part of ['text', 'html'] as const) expect(same(tried!, part)).toBe(same(sent!, part));
  });

  it('needs no list, and takes made-up details without a contact', async () => {
    await test(ann, [ann.email], { emailListIds: undefined, content: 'Hi {{first_name|there}}' }).expect(202);
    await test(ann, [ann.email], { emailListIds: [] }).expect(202);
    const mails = await untilArrived(ann.email, 2);
    expect(mails.some((mail) => mail.text.includes('Hi Priya'))).toBe(true);
  });

  it('refuses strangers, testers of others and who has not confirmed: nothing goes to anybody', async () => {
    const bob = await app.user();
    for (const stranger of [anybody(), await tester(bob), await tester(ann, anybody(), false), bob.email]) {
      const { body } = await test(ann, [ann.email, stranger]).expect(403);
      expect(body.code).toBe('tester_unconfirmed');
      expect(body.message).toContain(stranger);
    }
    expect(await latest(ann)).toEqual([]);
    expect(testsTo(ann.email)).toEqual([]);
  });

  it.each([
    ['all', 'unsubscribed', 403],
    ['network', 'complained', 403],
    ['network', 'unsubscribed', 202],
  ])('to an address with a suppression %s, %s: %i', async (scope, reason, status) => {
    const reader = await tester(ann);
    await query(`insert into suppressions (scope, address_hash, reason) values (?, sha256(?::bytea), ?)`, [
      scope,
      reader,
      reason,
    ]);
    await test(ann, [reader]).expect(status);
  });

  it('is held to 30 an hour and 100 a day, whatever is asked at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 31 }, () => test(ann, [ann.email])));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(30);
    const refused = answers.find(({ status }) => status !== 202)!;
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000);
    await query(`update test_mails set created_at = now() - interval '2 hours' where user_id = ?`, [ann.id]);
    await test(ann, [ann.email]).expect(202);
    await query(
      `insert into test_mails (user_id, address_hash, status, created_at)
       select ?, sha256('x'), 'sent', now() - interval '3 hours' from generate_series(1, 69)`,
      [ann.id],
    );
    expect((await test(ann, [ann.email]).expect(429)).body.message).toContain('100 tests a day');
  });

  it('lets one of many at the same time have the last place of the hour', async () => {
    await query(
      `insert into test_mails (user_id, address_hash, status) select ?, sha256('x'), 'sent' from generate_series(1, 29)`,
      [ann.id],
    );
    const answers = await Promise.all(Array.from({ length: 12 }, () => test(ann, [ann.email])));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
  });

  it('is not stopped by the used-up limit of the day', async () => {
    const free = await app.user();
    const own = await seedList(app, free, { count: 1 });
    await settled(free, await send(free, own));
    await free.agent
      .post('/api/send-email')
      .send(sendBody(own, { subject: 'Another' }))
      .expect(429);
    await free.agent
      .post('/api/send-email/test')
      .send(sendBody(own, { to: [free.email] }))
      .expect(202);
  });

  it.each([
    ['a line break in an address', { to: ['a@testers.test\r\nBcc: b@testers.test'] }],
    ['a line break at its end', { to: ['a@testers.test\r\n'] }],
    ['seven addresses', { to: Array.from({ length: 7 }, () => 'a@testers.test') }],
    ['no address', { to: [] }],
    ['a text for addresses', { to: 'a@testers.test' }],
    ['a line break in the subject', { subject: 'a\r\nBcc: b@testers.test' }],
    ['no content', { content: ' ' }],
    ['an unknown field', { headers: {} }],
    ['an unknown tag', { content: '{{fist_name}}' }],
  ])('is refused: %s', async (_what, extra) => void (await test(ann, [ann.email], extra).expect(400)));

  it('is refused for lists and contacts of others, and before the own address is verified', async () => {
    const [bob, fresh] = [await app.user(), await app.user({ verified: false })];
    const foreign = await seedList(app, bob, { addresses: ['q@people.test'] });
    const [contact] = await query<{ id: string }>(`select id from subscriptions where email_list_id = ?`, [foreign.id]);
    await test(ann, [ann.email], { emailListIds: [foreign.id] }).expect(404);
    for (const asContactId of [contact!.id, randomUUID(), 'x'])
      await test(ann, [ann.email], { asContactId }).expect(404);
    const { body } = await test(fresh, [fresh.email]).expect(403);
    expect([body.code, body.message]).toEqual(['email_unverified', 'Verify your email address first.']);
  });

  it('says why it failed', async () => {
    const reader = await tester(ann);
    app.mails.answer = (address) =>
      address === reader ? { code: 550, message: '5.1.1 No such user here' } : undefined;
    await test(ann, [ann.email, reader]).expect(202);
    const over = await untilOver(ann);
    expect(over.find(({ address }) => address === reader)).toMatchObject({
      status: 'failed',
      reason: 'mailbox unknown',
    });
    expect(over.find(({ address }) => address === ann.email)).toMatchObject({ status: 'sent', reason: null });
  });

  it('waits where the mail server asks for it', async () => {
    app.mails.answer = (address) => (address === ann.email ? { code: 451, message: '4.3.0 later' } : undefined);
    await test(ann, [ann.email]).expect(202);
    await until('it was tried', async () => (await latest(ann))[0]?.reason !== null);
    app.mails.answer = () => undefined;
    await query(`update test_mails set next_attempt_at = now() where user_id = ?`, [ann.id]);
    await app.get(TestMailWorker).sweep();
    expect(await untilOver(ann)).toMatchObject([{ status: 'sent', reason: null }]);
  });

  it('goes out once more, under the same Message-ID, where a worker died before it wrote that it was sent', async () => {
    await test(ann, [ann.email]).expect(202);
    await untilOver(ann);
    await test(ann, [ann.email]).expect(202);
    await untilOver(ann);
    const [first] = await query<{ id: string }>(`select id from test_mails where user_id = ? order by created_at`, [
      ann.id,
    ]);
    // As the kill leaves it: claimed and sealed, with a lease that nobody renews.
    const { TestMails } = await import('../../../src/modules/sending/tests/test-mails.service.js');
    const [mail] = testsTo(ann.email);
    const cut = mail!.raw.indexOf('\r\n\r\n');
    const sealed = (
      app.get(TestMails) as unknown as { encryptor: { encrypt(value: unknown): Buffer } }
    ).encryptor.encrypt({
      envelope: { from: mail!.envelopeFrom, to: ann.email },
      head: mail!.raw.slice(0, cut + 2),
      body: mail!.raw.slice(cut + 4),
    });
    await query(
      `update test_mails set status = 'sending', attempts = 1, payload = ?, settled_at = null, lease_until = now() - interval '1 second' where id = ?`,
      [sealed, first!.id],
    );
    await app.get(TestMailWorker).sweep();
    const mails = await untilArrived(ann.email, 3);
    await untilOver(ann);
    const ids = mails.map(({ headers }) => headers.get('message-id'));
    expect(new Set(ids).size).toBe(2);
    expect(await query(`select 1 from test_mails where user_id = ? and payload is not null`, [ann.id])).toEqual([]);
  });

  it('is not taken from a worker that still has it', async () => {
    await query(
      `insert into test_mails (user_id, address_hash, status, attempts, payload, lease_until)
       values (?, sha256(?::bytea), 'sending', 1, '\\x00', now() + interval '1 hour')`,
      [ann.id, ann.email],
    );
    await test(ann, [ann.email]).expect(202);
    await untilArrived(ann.email, 1);
    expect((await latest(ann)).map(({ status }) => status)).toContain('sending');
    await query(`delete from test_mails where user_id = ?`, [ann.id]);
  });

  it('does not go to a tester who was removed, or an account that was suspended, meanwhile', async () => {
    await query(
      `insert into test_mails (user_id, address_hash, payload) values (?, sha256('gone@testers.test'), '\\x00')`,
      [ann.id],
    );
    await app.get(TestMailWorker).sweep();
    expect(await untilOver(ann)).toMatchObject([{ address: null, status: 'failed', reason: 'the tester was removed' }]);
    await query(`update users set suspended_at = now() where id = ?`, [ann.id]);
    await query(
      `update test_mails set status = 'queued', payload = '\\x00', address_hash = sha256(?::bytea) where user_id = ?`,
      [ann.email, ann.id],
    );
    await app.get(TestMailWorker).sweep();
    await until(
      'it is over',
      async () =>
        (
          await query(`select 1 from test_mails where user_id = ? and status = 'failed' and reason = ?`, [
            ann.id,
            'your account may not send',
          ])
        ).length === 1,
    );
  });
});

describe('the unsubscribe link of a test', () => {
  it('acts on nothing', async () => {
    const nothing = { message: 'This is a test message. There is nothing to leave.', email: '' };
    const before = await query(`select count(*) from suppressions`);
    await app.http().post('/unsubscribe/test').type('form').send('List-Unsubscribe=One-Click').expect(200, nothing);
    for (const path of ['', '/all', '/undo'])
      await app.http().post(`/api/unsubscribe/test${path}`).send({}).expect(200, nothing);
    await app.http().post('/api/unsubscribe/test/leave').send({ sender: 'network' }).expect(200, nothing);
    await app.http().get('/api/unsubscribe/test').expect(200);
    expect(await query(`select count(*) from suppressions`)).toEqual(before);
  });
});
