import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { seedList } from '../sending/support.js';
import { until } from '../../kit/until.js';

const CONTACTS = 10_000;
let app: TestApp;
let ann: SignedUp;
let bob: SignedUp;
let path: string;
let token: string;

beforeAll(async () => {
  app = await startApp();
  [ann, bob] = [await app.user(), await app.user()];
  const list = await seedList(app, ann, { count: 0 });
  await rows(
    app.em(),
    `insert into subscriptions (email, email_norm, email_hash, subscription_type, unsubscribe_token, email_list_id, opt_in_state)
     select e, e, sha256(e::bytea), 'job-posts', md5(e || ?) || n, ?::uuid, 'none' from (select n, 'm' || n || '@qumail.example' as e from generate_series(1, ?::int) n) s`,
    [list.id, list.id, CONTACTS],
  );
  await rows(app.em(), 'analyze subscriptions');
  path = `/api/email-lists/${list.id}/subscribers`;
  const { body } = await app.http().post('/api/auth/token').send({ email: ann.email, password: PASSWORD }).expect(200);
  token = (body.accessToken ?? body.token ?? body.access_token) as string;
});
afterAll(() => app.close());

/** Starts a download without reading its body. @returns its status, and a function that closes the connection */
const unread = (): Promise<{ status: number; hangUp: () => void }> =>
  new Promise((resolve, reject) => {
    const asked = request(
      `${app.url}${path}/export`,
      { headers: { authorization: `Bearer ${token}` }, agent: false },
      (answer) => {
        answer.pause();
        answer.on('error', () => undefined);
        resolve({ status: answer.statusCode!, hangUp: () => asked.destroy() });
      },
    );
    asked.on('error', reject);
    asked.end();
  });

/** Repeats a call while it is answered with 429. */
async function whole(): Promise<string> {
  return until('there is room for a download', async () => {
    const { status, text, headers } = await ann.agent.get(`${path}/export`);
    if (status === 200) return text;
    expect([status, headers['retry-after']]).toEqual([429, '10']);
    return '';
  });
}

describe('one account with many concurrent requests', () => {
  it.each([
    ['searches', () => `${path}?limit=1000&search=qumail`],
    ['downloads', () => `${path}/export`],
    ['searches over all lists', () => '/api/email-lists/contacts?search=qumail'],
  ])(
    "by %s: gets answers up to the queue's limit, then 429 with Retry-After; other accounts get theirs",
    async (_what, url) => {
      const all = Promise.all(Array.from({ length: 60 }, () => ann.agent.get(url())));
      for (let i = 0; i < 5; i++) await bob.agent.get('/api/email-lists').expect(200);
      const answers = await all;
      for (const { status, headers } of answers)
        expect(status === 200 || (status === 429 && headers['retry-after'] === '10')).toBe(true);
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(50);
      await ann.agent.get(url()).expect(200);
    },
  );

  it('downloads that are not read or are aborted release their slots', async () => {
    const lines = (text: string): number => text.trimEnd().split('\r\n').length;
    for (let round = 0; round < 2; round++) {
      const open = await Promise.all(Array.from({ length: 60 }, unread));
      expect(open.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(50);
      expect(lines(await whole())).toBe(CONTACTS + 1);
      for (const { hangUp } of open) hangUp();
      expect(lines(await whole())).toBe(CONTACTS + 1);
    }
  });
});
