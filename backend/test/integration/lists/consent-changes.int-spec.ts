import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { startApp, type TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';
import { add, newList, query } from '../outreach/support.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** The token with which delivery workers are notified of a contact's address. */
const tokenOf = async (contact: string) =>
  (
    await query<{ token: string }>(
      app,
      `select 'a:' || encode(substring(email_hash for 9), 'base64') as token from subscriptions where id = ?`,
      [contact],
    )
  )[0]!.token;

it("a contact's changed address invalidates the answers of delivery workers about both addresses; the prepared message carries the old one", async () => {
  const user = await app.user();
  const { id: list } = await newList(user);
  const { body: contact } = await add(user, list, 'ann@old.example').expect(201);
  await query(app, `update subscriptions set confirmed = true, confirmed_at = now() where id = ?`, [contact.id]);
  const old = await tokenOf(contact.id);
  const listener = new pg.Client({ connectionString: app.settings.databaseUrl });
  await listener.connect();
  const heard: string[] = [];
  listener.on('notification', ({ payload }) => heard.push(...(payload ?? '').split(' ')));
  try {
    await listener.query('listen consent_changes');
    await user.agent
      .patch(`/api/email-lists/${list}/subscribers/${contact.id}`)
      .send({ email: 'bob@new.example' })
      .expect(200);
    await query(app, `select pg_notify('consent_changes', 'end')`);
    await until('every change was heard', () => heard.includes('end'));
  } finally {
    await listener.end();
  }
  const changed = await tokenOf(contact.id);
  expect(changed).not.toBe(old);
  expect(heard).toEqual(expect.arrayContaining([old, changed]));
});
