import { afterAll, beforeAll } from '@jest/globals';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { newList, query, subscribe } from './support.js';

export let app: TestApp;
export let ann: SignedUp;

beforeAll(async () => {
  app = await startApp({ env: { FREE_OUTREACH_BUDGET: '1000' } });
  ann = await app.user({ firstName: 'Ann', lastName: 'Kumar' });
});
afterAll(() => app.close());

let serial = 0;
/** A number unique to this call. */
export const nextSerial = () => (serial += 1);
export const person = (word = 'v') => `${word}${nextSerial()}@asked.example`;
export const confirm = (token: string) =>
  app.http().get(`/api/subscribe/confirm/${token}`).set('Accept', 'application/json');
export const tokenOf = (text: string) => /\/subscribe\/confirmed\?token=([\w-]{43})/.exec(text)![1]!;
export const contactOf = async (email: string, list?: string) =>
  (
    await query<{
      id: string;
      confirmed: boolean;
      subscription_type: string;
      source: string;
      suppressed: string | null;
      consent: object | null;
    }>(
      app,
      `select id, confirmed, subscription_type, source, suppressed, consent from subscriptions where email_norm = ? and (?::uuid is null or email_list_id = ?)`,
      [email, list ?? null, list ?? null],
    )
  )[0]!;
/** A contact of its own list who confirmed by the mailed link. */
export async function member(email = person()) {
  const { id: list } = await newList(ann);
  await subscribe(app, { email, emailListId: list }).expect(200);
  await confirm(tokenOf((await app.mails.waitFor(email)).at(-1)!.text)).expect(200);
  const [{ token }] = (await query<{ token: string }>(
    app,
    `select unsubscribe_token as token from subscriptions where email_norm = ?`,
    [email],
  )) as [{ token: string }];
  return { email, list, token };
}
