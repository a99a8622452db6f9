import { afterAll, beforeAll } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Audience, Lists } from '../../../src/modules/lists/index.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';

export let app: TestApp;
export let ann: SignedUp;
export let bob: SignedUp;
export let admin: SignedUp;

beforeAll(async () => {
  app = await startApp();
  [ann, bob, admin] = await Promise.all([app.user(), app.user(), app.user({ admin: true })]);
});
afterAll(() => app.close());

export const address = () => `v${randomBytes(5).toString('hex')}@vendor.example`;
export const query = <T extends object>(sql: string, params: unknown[] = []) => rows<T>(app.em(), sql, params);

export async function newList(user = ann): Promise<string> {
  return (await user.agent.post('/api/email-lists').send({ name: 'Java vendors' }).expect(201)).body.id;
}
export async function add(list: string, email = address(), user = ann): Promise<{ id: string; email: string }> {
  return (await user.agent.post(`/api/email-lists/${list}/subscribers`).send({ email }).expect(201)).body;
}
export const tokenIn = (text: string) => /\/subscribe\/confirmed\?token=([\w-]{43})/.exec(text)![1]!;
export const confirmToken = async (email: string, count = 1) =>
  tokenIn((await app.mails.waitFor(email, count)).at(-1)!.text);
export const confirm = (token: string) =>
  app.http().get(`/api/subscribe/confirm/${token}`).set('Accept', 'application/json');

/** Adds a contact and confirms it by its mailed link. */
export async function confirmed(list: string, email = address(), user = ann) {
  const before = app.mails.to(email).length;
  const contact = await add(list, email, user);
  await confirm(await confirmToken(email, before + 1)).expect(200);
  const [row] = await query<{ unsubscribe_token: string }>('select unsubscribe_token from subscriptions where id = ?', [
    contact.id,
  ]);
  return { ...contact, token: row!.unsubscribe_token };
}
export async function state(id: string) {
  const [row] = await query<{ confirmed: boolean; suppressed: string | null; opt_in_state: string }>(
    'select confirmed, suppressed, opt_in_state from subscriptions where id = ?',
    [id],
  );
  return row!;
}
export async function recipients(user: SignedUp, ids: string[]): Promise<string[]> {
  const lists = await app.get(Lists).findSendable(user, ids);
  const { sql, params } = app.get(Audience).selectSql(lists!, 'job-posts', user.id);
  return (await query<{ email: string }>(`select email from (${sql}) r order by email`, params)).map(
    (row) => row.email,
  );
}
