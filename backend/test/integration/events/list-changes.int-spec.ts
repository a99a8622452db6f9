import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { startApp, type TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';
import { query } from '../outreach/support.js';

let app: TestApp;
let listener: pg.Client;
const payloads: string[] = [];
beforeAll(async () => {
  app = await startApp({ env: { ROLE: 'web' } });
  listener = new pg.Client({ connectionString: app.settings.databaseUrl });
  await listener.connect();
  listener.on('notification', ({ payload }) => payloads.push(payload ?? ''));
  await listener.query('listen account_changes');
});
afterAll(async () => {
  await listener.end();
  await app.close();
});

/** Waits until all changes committed so far were received. */
async function heard(): Promise<void> {
  const end = crypto.randomUUID();
  await query(app, `select pg_notify('account_changes', ?)`, [end]);
  await until('every change was heard', () => payloads.includes(end));
}

/** The kinds of the notifications about a list that web instances receive when `act` runs. */
async function told(account: string, list: string, act: () => Promise<unknown>): Promise<string[]> {
  await heard();
  const before = payloads.length;
  await act();
  await heard();
  const kinds = payloads.slice(before).flatMap((payload) => {
    const [who, kind, id] = payload.split(' ');
    return who === account && id === list ? [kind!] : [];
  });
  return [...new Set(kinds)].sort();
}

it('counts that move are told apart from lists that come, go and are renamed', async () => {
  const { agent, id: account } = await app.user();
  const { body: list } = await agent.post('/api/email-lists').send({ name: 'Vendors' }).expect(201);
  const of = (act: () => Promise<unknown>) => told(account, list.id as string, act);
  const path = `/api/email-lists/${list.id}`;
  const add = (email: string) => agent.post(`${path}/subscribers`).send({ email }).expect(201);
  expect(await of(() => add('one@vendor.test'))).toEqual(['contacts']);
  const confirm = `update subscriptions set confirmed = true, confirmed_at = now() where email_list_id = ?`;
  expect(await of(() => query(app, confirm, [list.id]))).toEqual(['contacts']);
  const [counted] = await query<{ contacts: number; confirmed: number }>(
    app,
    `select contact_count as contacts, confirmed_count as confirmed from email_lists where id = ?`,
    [list.id],
  );
  expect(counted).toEqual({ contacts: 1, confirmed: 1 });
  expect(await of(() => agent.patch(path).send({ name: 'Vendors of Java' }).expect(200))).toEqual(['list']);
  expect(await of(() => agent.delete(path).expect(204))).toContain('list');
  expect(await of(() => agent.post(`${path}/restore`).expect(200))).toContain('list');
  expect(await of(() => query(app, `delete from email_lists where id = ?`, [list.id]))).toContain('list');
});

it('a new list is told of', async () => {
  const { agent, id: account } = await app.user();
  const before = payloads.length;
  const { body: list } = await agent.post('/api/email-lists').send({ name: 'Another' }).expect(201);
  await until(() => payloads.slice(before).includes(`${account} list ${list.id}`));
});
