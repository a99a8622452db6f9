import { afterEach, describe, expect, it } from '@jest/globals';
import { SystemMailOutbox } from '../../../src/shared/mail/system-mail/system-mail-outbox.js';
import type { SignedUp } from '../../kit/users.js';
import { until } from '../../kit/until.js';
import { app, ann, member, person } from './asks-support.js';
import { add, newList, query, subscribe } from './support.js';

const deferred = new Set<string>();
afterEach(() => void deferred.clear());

/** Lets the mail server refuse this person's mail for the time being. */
function defer(email: string): void {
  deferred.add(email);
  app.mails.answer = (address) => (deferred.has(address) ? { code: 451, message: '4.7.1 greylisted' } : undefined);
}

const mailsTo = (email: string) =>
  query<{ kind: string; status: string; attempts: number; payload: object | null; lastError: string | null }>(
    app,
    `select kind, status, attempts, payload, last_error as "lastError" from system_mails where recipient_hash = sha256(?::bytea) order by created_at, id`,
    [email],
  );

/** Waits until the person's newest mail was refused for the time being. */
const untilDeferred = (email: string) =>
  until('the mail waits for its next attempt', async () => {
    const newest = (await mailsTo(email)).at(-1);
    return newest?.status === 'queued' && newest.attempts === 1;
  });

/** Lets the mail server accept this person's mail, and the newest mail be tried again. @returns that mail afterwards */
async function tryAgain(email: string) {
  deferred.delete(email);
  await query(app, `update system_mails set next_attempt_at = now() where recipient_hash = sha256(?::bytea)`, [email]);
  await app.get(SystemMailOutbox).kick();
  await until('the mail is settled', async () => ['sent', 'failed'].includes((await mailsTo(email)).at(-1)!.status));
  return (await mailsTo(email)).at(-1)!;
}

/** A person who got a confirmation mail of a list, and has not confirmed. */
async function asked(): Promise<string> {
  const email = person();
  await add(ann, (await newList(ann)).id, email).expect(201);
  await app.mails.waitFor(email);
  return email;
}

/** The person opts out of all such mail by the one-click link of the first mail. */
async function refuseAll(email: string): Promise<void> {
  const link = /<([^>]+)>/.exec(String(app.mails.to(email)[0]!.raw.match(/^List-Unsubscribe: (.*)$/m)![1]))![1]!;
  await app.http().post(new URL(link).pathname).type('form').send('List-Unsubscribe=One-Click').expect(200);
}

const ways: [string, (user: SignedUp, email: string) => Promise<unknown>][] = [
  ['a confirmation mail', async (user, email) => add(user, (await newList(user)).id, email).expect(201)],
  [
    'a confirmation mail that was requested on a public page',
    async (user, email) => subscribe(app, { email, emailListId: (await newList(user)).id }).expect(200),
  ],
  ['an invite', (user, email) => user.agent.post('/api/referrals/invite').send({ inviteeEmail: email }).expect(201)],
  ['the mail to a tester', (user, email) => user.agent.post('/api/testers').send({ address: email }).expect(201)],
];

describe('a mail that waits for its next attempt', () => {
  it.each(ways)('is not sent if the person has refused all such mail since: %s', async (_what, write) => {
    const [refuser, other] = [await asked(), await asked()];
    const user = await app.user();
    for (const email of [refuser, other]) {
      defer(email);
      await write(user, email);
      await untilDeferred(email);
    }
    await refuseAll(refuser);
    expect(await tryAgain(refuser)).toMatchObject({
      status: 'failed',
      payload: null,
      lastError: 'The recipient refused it',
    });
    expect(app.mails.to(refuser)).toHaveLength(1);
    expect(await tryAgain(other)).toMatchObject({ status: 'sent' });
    expect(app.mails.to(other)).toHaveLength(2);
  });

  it.each(ways)('is not sent if the person has unsubscribed from its sender since: %s', async (_what, write) => {
    const { email, token } = await member();
    defer(email);
    await write(ann, email);
    await untilDeferred(email);
    await app.http().post(`/unsubscribe/${token}`).expect(200);
    expect(await tryAgain(email)).toMatchObject({ status: 'failed', payload: null });
    expect(app.mails.to(email)).toHaveLength(1);
  });

  it.each(ways)('is sent if the person has unsubscribed from somebody else: %s', async (_what, write) => {
    const { email, token } = await member();
    defer(email);
    await write(await app.user(), email);
    await untilDeferred(email);
    await app.http().post(`/unsubscribe/${token}`).expect(200);
    expect(await tryAgain(email)).toMatchObject({ status: 'sent' });
  });

  it('is sent if the person requested it after unsubscribing from its sender', async () => {
    const { email, list, token } = await member();
    await app.http().post(`/unsubscribe/${token}`).expect(200);
    defer(email);
    await query(
      app,
      `update system_mails set created_at = created_at - interval '1 day' where recipient_hash = sha256(?::bytea)`,
      [email],
    );
    await subscribe(app, { email, emailListId: list }).expect(200);
    await untilDeferred(email);
    expect(await tryAgain(email)).toMatchObject({ status: 'sent' });
  });

  it('is not sent to a tester whom the user has removed since', async () => {
    const [user, email] = [await app.user(), person()];
    defer(email);
    const { body: tester } = await user.agent.post('/api/testers').send({ address: email }).expect(201);
    await untilDeferred(email);
    await user.agent.delete(`/api/testers/${tester.id}`).expect(204);
    expect(await tryAgain(email)).toMatchObject({ status: 'failed', payload: null });
    expect(app.mails.to(email)).toHaveLength(0);
  });
});
