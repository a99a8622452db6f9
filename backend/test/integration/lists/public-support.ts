import { afterAll, beforeAll } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';

export let app: TestApp;
export let ann: SignedUp;
export let admin: SignedUp;
export let network: string;

beforeAll(async () => {
  app = await startApp();
  [ann, admin] = await Promise.all([app.user({ set: { agency_name: 'Northline' } }), app.user({ admin: true })]);
  [{ id: network }] = (await query<{ id: string }>('select id from email_lists where is_default')) as [{ id: string }];
});
afterAll(() => app.close());

export const query = <T extends object>(sql: string, params: unknown[] = []) => rows<T>(app.em(), sql, params);
export const address = () => `p${randomBytes(5).toString('hex')}@visitor.example`;
export const subscribe = (body: Record<string, unknown>, to = app) =>
  to
    .http()
    .post('/api/subscribe')
    .send({ subscriptionType: 'job-posts', ...body });
export const contactsOf = (email: string) =>
  query<{ confirmed: boolean; source: string }>('select confirmed, source from subscriptions where email_norm = ?', [
    email,
  ]);

/** Makes this many calls, ten at a time. */
export async function tensOf<T>(count: number, call: (n: number) => PromiseLike<T>): Promise<T[]> {
  const answers: T[] = [];
  while (answers.length < count)
    answers.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(10, count - answers.length) }, (_, i) => call(answers.length + i)),
      )),
    );
  return answers;
}
