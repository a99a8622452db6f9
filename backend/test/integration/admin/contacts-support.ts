import { afterAll, beforeAll } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Audience, Lists } from '../../../src/modules/lists/index.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';

export let app: TestApp;
export let admin: SignedUp;
export let ann: SignedUp;
export let defaultList: string;

beforeAll(async () => {
  app = await startApp();
  [admin, ann] = [await app.user({ admin: true }), await app.user()];
  defaultList = (await query<{ id: string }>('select id from email_lists where is_default'))[0]!.id;
});
afterAll(() => app.close());

export const address = () => `v${randomBytes(5).toString('hex')}@vendor.example`;
export const query = <T extends object>(sql: string, params: unknown[] = []) => rows<T>(app.em(), sql, params);
export const listOf = async (user: SignedUp, name = 'Java vendors') =>
  (await user.agent.post('/api/email-lists').send({ name }).expect(201)).body.id as string;
export const add = async (user: SignedUp, list: string, email = address()) =>
  (await user.agent.post(`/api/email-lists/${list}/subscribers`).send({ email }).expect(201)).body as {
    id: string;
    email: string;
  };
export const confirm = (id: string, body: object = { confirmed: true }) =>
  admin.agent.patch(`/api/admin/subscriptions/${id}/confirm`).send(body);
export const acts = async (kind: string) =>
  (await admin.agent.get(`/api/admin/audit?kind=${kind}`).expect(200)).body as {
    reason: string;
    actorEmail: string;
    userEmail: string;
  }[];
export async function recipients(user: SignedUp, ids: string[]): Promise<string[]> {
  const lists = await app.get(Lists).findSendable(user, ids);
  const { sql, params } = app.get(Audience).selectSql(lists!, 'job-posts', user.id);
  return (await query<{ email: string }>(`select email from (${sql}) r order by email`, params)).map(
    (row) => row.email,
  );
}
