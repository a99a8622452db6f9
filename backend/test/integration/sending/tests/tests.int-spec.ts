import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../../../kit/app.js';
import { doc, mergeTag, paragraph, text } from '../../../kit/samples/documents.js';
import type { CaughtMail } from '../../../kit/mail-catcher.js';
import type { SignedUp } from '../../../kit/users.js';
import { seedList, type SeededList, send, sendBody, sentToday, settled, startSending } from '../support.js';
import { testMailHelpers } from './test-mails-support.js';

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

const { query, anybody, test, testsTo, untilArrived, latest, untilOver, tester } = testMailHelpers(() => ({
  app,
  list,
}));

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
