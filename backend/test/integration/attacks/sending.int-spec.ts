import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, type SeededList, send, sendBody, sentToday, settled } from '../sending/support.js';

let app: TestApp;
let beside: TestApp;
let ann: SignedUp;
let bob: SignedUp;
let hers: SeededList;
let his: SeededList;
let network: SeededList;

beforeAll(async () => {
  app = await startApp();
  beside = await startApp({ beside: app });
  [ann, bob] = [
    await app.user({ set: { custom_daily_limit: '1000' } }),
    await app.user({ set: { custom_daily_limit: '1000' } }),
  ];
  hers = await seedList(app, ann, { addresses: ['mine@people.test'] });
  his = await seedList(app, bob, { addresses: ['his@people.test'] });
  network = await seedList(app, null, { addresses: ['shared@people.test'] });
});
afterAll(async () => {
  await beside.close();
  await app.close();
});

const MISSING = '0b4f2a62-0000-4000-8000-000000000000';
const post = (body: unknown, user = ann) => user.agent.post('/api/send-email').send(body as object);
const sends = async (user = ann) =>
  Number(
    (await rows<{ n: string }>(app.em(), 'select count(*) as n from email_history where user_id = ?', [user.id]))[0]!.n,
  );

describe('lists of a send', () => {
  it("another user's list refuses the whole send, without using the daily limit", async () => {
    const before = [await sends(), await sentToday(ann)];
    for (const emailListIds of [
      [hers.id, his.id],
      [his.id],
      [MISSING],
      [hers.id, 'nonsense'],
      [hers.id, '../../etc'],
    ]) {
      await post({ ...sendBody(hers), emailListIds }).expect(404);
      await ann.agent.post('/api/send-email/preview').send({ emailListIds, emailType: 'job-post' }).expect(404);
    }
    expect([await sends(), await sentToday(ann)]).toEqual(before);
    expect(app.mails.to('his@people.test')).toEqual([]);
  });

  it('everyone may mail the network, and its addresses stay masked', async () => {
    const id = await send(ann, network);
    await settled(ann, id);
    for (const path of [
      `/api/email-history/${id}`,
      `/api/email-history/${id}/deliveries`,
      `/api/email-history/${id}/deliveries.csv`,
      `/api/email-history/${id}/deliveries?search=shared`,
    ]) {
      expect((await ann.agent.get(path).expect(200)).text).not.toContain('shared@people.test');
    }
  });
});

describe('the fields of a send', () => {
  const fields = ['an invalid subject', 'a content or subject that is no text', 'an unknown field'] as const;
  const bad: Record<(typeof fields)[number], object[]> = {
    'an invalid subject': [
      'Hi\r\nBcc: e@x.test',
      'Hi\nX: 1',
      'Hi\u0000',
      'Hi\u2028there',
      'Hi\u2029',
      '\r\n',
      'x\u0085y',
      'a'.repeat(256),
    ].map((subject) => ({ subject })),
    'a content or subject that is no text': [
      { path: '/etc/passwd' },
      { href: 'http://127.0.0.1/' },
      ['x'],
      5,
      true,
      null,
      '',
    ].flatMap((value) => [{ content: value }, { subject: value }]),
    'an unknown field': [
      { from: 'evil@x.test' },
      { replyTo: 'evil@x.test' },
      { headers: {} },
      { attachments: [] },
      { raw: 'x' },
      { envelope: {} },
      { to: ['x@x.test'] },
      { userId: MISSING },
      { html: '<b>x</b>' },
      { date: '2020-01-01' },
    ],
  };

  it.each(fields)('%s is refused, and nothing is sent', async (name) => {
    const before = await sends();
    for (const extra of bad[name])
      expect([extra, (await post({ ...sendBody(hers), ...extra })).status]).toEqual([extra, 400]);
    expect(await sends()).toBe(before);
  });

  it('sizes are limited, and a repeated list counts once', async () => {
    await post({ ...sendBody(hers), content: 'x'.repeat(10_000_000) }).expect(413);
    await post({ ...sendBody(hers), content: 'x'.repeat(100_001) }).expect(400);
    expect([400, 413]).toContain(
      (await post({ ...sendBody(hers), emailListIds: Array.from({ length: 20_000 }, () => MISSING) })).status,
    );
    const answer = await post({
      ...sendBody(hers),
      subject: 'Named often',
      emailListIds: Array.from({ length: 1000 }, () => hers.id),
    }).expect(202);
    expect(answer.body.recipientCount).toBe('1');
  });

  it('one of many concurrent sends on two instances is accepted at the daily limit, and no field changes that', async () => {
    const free = await app.user();
    const list = await seedList(app, free, { addresses: ['limit@people.test'] });
    const cookies = await free.agent.get('/api/auth/user').expect(200);
    expect(cookies.body.entitlements.dailyLimit).toBe(1);
    const { body: token } = await app
      .http()
      .post('/api/auth/token')
      .send({ email: free.email, password: 'correct horse battery' })
      .expect(200);
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        (n % 2 ? beside : app)
          .http()
          .post('/api/send-email')
          .set('Authorization', `Bearer ${token.accessToken}`)
          .send(sendBody(list, { subject: `Different ${n}` })),
      ),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ status, body }) => status === 429 && body.code === 'daily_limit')).toHaveLength(15);
    for (const body of [{ tier: 'pro' }, { customDailyLimit: 99 }, { isAdmin: true }]) {
      expect(
        (await free.agent.patch('/api/auth/user/name').send({ firstName: 'A', lastName: 'B', ...body })).status,
      ).toBe(400);
      expect((await free.agent.patch('/api/auth/user/settings').send(body)).status).toBe(400);
    }
    expect(await sends(free)).toBe(1);
  });

  it('types not allowed to the role and unknown types are refused', async () => {
    await post({ ...sendBody(hers), emailType: 'candidate-list' })
      .expect(403)
      .expect(({ body }) => expect(body.code).toBe('role_not_allowed'));
    for (const emailType of ['x', '', null, ['job-post'], 'JOB-POST', '__proto__'])
      await post({ ...sendBody(hers), emailType }).expect(400);
  });
});

describe('history, usage and dashboard', () => {
  it("show only the account's own data, whatever the query", async () => {
    const id = await send(bob, his, { subject: 'Only for him' });
    await settled(bob, id);
    for (const path of ['/api/email-history', '/api/usage/today', '/api/dashboard/stats', '/api/dashboard/trends']) {
      for (const query of [
        `?userId=${bob.id}`,
        `?userId=${ann.id}&userId=${bob.id}`,
        `?user_id=${bob.id}`,
        `?userId[]=${bob.id}`,
        `?search=Only`,
        `?id=${id}`,
      ]) {
        const { status, text } = await ann.agent.get(path + query);
        expect([200, 400]).toContain(status);
        expect(text).not.toContain('Only for him');
      }
    }
    for (const tail of ['', '/deliveries', '/deliveries.csv', '/progress'])
      await ann.agent.get(`/api/email-history/${id}${tail}`).expect(404);
    for (const query of [
      '?limit=-1',
      '?limit=99999',
      '?limit=x',
      '?cursor=%27;drop',
      '?sort=password_hash',
      '?limit=1&limit=2',
    ])
      expect([200, 400]).toContain((await ann.agent.get(`/api/email-history${query}`)).status);
  });
});
