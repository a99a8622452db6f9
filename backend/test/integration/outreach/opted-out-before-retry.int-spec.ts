import { afterEach, describe, expect, it } from '@jest/globals';
import { OPT_IN_MAIL } from '../../../src/modules/lists/outreach/ask-opt-outs.service.js';
import { newId } from '../../../src/shared/database/queries/columns.js';
import { SystemMailOutbox } from '../../../src/shared/mail/system-mail/system-mail-outbox.js';
import type { SignedUp } from '../../kit/users.js';
import { until } from '../../kit/until.js';
import { ann, app, confirm, member, person, tokenOf } from './asks-support.js';
import { add, newList, query, subscribe } from './support.js';

const deferred = new Set<string>();
afterEach(() => void deferred.clear());

/** Makes the mail server defer this person's mail. */
function defer(email: string): void {
  deferred.add(email);
  app.mails.answer = (address) => (deferred.has(address) ? { code: 451, message: '4.7.1 greylisted' } : undefined);
}

/** A mail that was cancelled because its recipient opted out. */
const CANCELLED = { status: 'failed', payload: null, lastError: expect.stringContaining('has opted out') };

const mailsTo = (email: string) =>
  query<{ kind: string; status: string; attempts: number; payload: object | null; lastError: string | null }>(
    app,
    `select kind, status, attempts, payload, last_error as "lastError" from system_mails where recipient_hash = sha256(?::bytea) order by created_at, id`,
    [email],
  );

/** Waits until the person's newest mail was deferred. */
const untilDeferred = (email: string) =>
  until('the mail waits for its next attempt', async () => {
    const newest = (await mailsTo(email)).at(-1);
    return newest?.status === 'queued' && newest.attempts === 1;
  });

/**
 * Lets the mail server accept this person's mail, and the newest mail be tried again.
 * @returns that mail afterwards
 */
async function tryAgain(email: string) {
  deferred.delete(email);
  await query(app, `update system_mails set next_attempt_at = now() where recipient_hash = sha256(?::bytea)`, [email]);
  await app.get(SystemMailOutbox).kick();
  await until('the mail is settled', async () => ['sent', 'failed'].includes((await mailsTo(email)).at(-1)!.status));
  return (await mailsTo(email)).at(-1)!;
}

/** A person who got a confirmation mail of a list, and has not confirmed. */
async function askedPerson(): Promise<string> {
  const email = person();
  await add(ann, (await newList(ann)).id, email).expect(201);
  await app.mails.waitFor(email);
  return email;
}

/** The person opts out of all such mail by the one-click link of this mail, or of the first. */
async function neverAskAgain(email: string, mail = app.mails.to(email)[0]!): Promise<void> {
  const link = /^List-Unsubscribe: <([^>]+)>/m.exec(mail.raw)![1]!;
  await app.http().post(new URL(link).pathname).type('form').send('List-Unsubscribe=One-Click').expect(200);
}

const kindsOfMail: [string, (user: SignedUp, email: string) => Promise<unknown>][] = [
  ['a confirmation mail', async (user, email) => add(user, (await newList(user)).id, email).expect(201)],
  [
    'a confirmation mail that was requested on a public page',
    async (user, email) => subscribe(app, { email, emailListId: (await newList(user)).id }).expect(200),
  ],
  ['an invite', (user, email) => user.agent.post('/api/referrals/invite').send({ inviteeEmail: email }).expect(201)],
  ['the mail to a tester', (user, email) => user.agent.post('/api/testers').send({ address: email }).expect(201)],
];

describe('a mail that waits for its next attempt', () => {
  it.each(kindsOfMail)('is not sent if the person has refused all such mail since: %s', async (_what, cause) => {
    const [refuser, other] = [await askedPerson(), await askedPerson()];
    const user = await app.user();
    for (const email of [refuser, other]) {
      defer(email);
      await cause(user, email);
      await untilDeferred(email);
    }
    await neverAskAgain(refuser);
    expect(await tryAgain(refuser)).toMatchObject(CANCELLED);
    expect(app.mails.to(refuser)).toHaveLength(1);
    expect(await tryAgain(other)).toMatchObject({ status: 'sent' });
    expect(app.mails.to(other)).toHaveLength(2);
  });

  it.each(kindsOfMail)('is not sent if the person has unsubscribed from its sender since: %s', async (_what, cause) => {
    const { email, token } = await member();
    defer(email);
    await cause(ann, email);
    await untilDeferred(email);
    await app.http().post(`/unsubscribe/${token}`).expect(200);
    expect(await tryAgain(email)).toMatchObject(CANCELLED);
    expect(app.mails.to(email)).toHaveLength(1);
  });

  it.each(kindsOfMail)('is sent if the person has unsubscribed from somebody else: %s', async (_what, cause) => {
    const { email, token } = await member();
    defer(email);
    await cause(await app.user(), email);
    await untilDeferred(email);
    await app.http().post(`/unsubscribe/${token}`).expect(200);
    expect(await tryAgain(email)).toMatchObject({ status: 'sent' });
  });

  /** The person unsubscribes from Ann, and then requests her mail again; that mail is deferred. */
  async function requestToReturn(): Promise<{ email: string; token: string }> {
    const { email, list, token } = await member();
    await app.http().post(`/unsubscribe/${token}`).expect(200);
    defer(email);
    // Otherwise the limit of one mail in 10 minutes per list would hold the request back.
    await query(
      app,
      `update system_mails set created_at = created_at - interval '1 day' where recipient_hash = sha256(?::bytea)`,
      [email],
    );
    await subscribe(app, { email, emailListId: list }).expect(200);
    await untilDeferred(email);
    return { email, token };
  }

  it('is sent if the person requested it after unsubscribing from its sender', async () => {
    const { email } = await requestToReturn();
    expect(await tryAgain(email)).toMatchObject({ status: 'sent' });
  });

  it('is not sent if the person has unsubscribed again since requesting it', async () => {
    const { email, token } = await requestToReturn();
    await app.http().post(`/unsubscribe/${token}`).expect(200);
    expect(await tryAgain(email)).toMatchObject(CANCELLED);
    expect(app.mails.to(email)).toHaveLength(1);
  });

  it('is not sent if the person has refused all such mail at another alias of the mailbox since', async () => {
    const email = await askedPerson();
    const alias = email.replace('@', '+jobs@');
    defer(alias);
    await add(ann, (await newList(ann)).id, alias).expect(201);
    await untilDeferred(alias);
    await neverAskAgain(email);
    expect(await tryAgain(alias)).toMatchObject(CANCELLED);
    expect(app.mails.to(alias)).toHaveLength(0);
  });

  it('is sent if it is about the account of a person who has refused all other mail', async () => {
    const user = await app.user();
    await add(ann, (await newList(ann)).id, user.email).expect(201);
    const ask = await until('the confirmation mail arrives', () =>
      app.mails.to(user.email).find(({ subject }) => subject.startsWith('Confirm your subscription')),
    );
    defer(user.email);
    await app.http().post('/api/auth/forgot-password').send({ email: user.email }).expect(200);
    await untilDeferred(user.email);
    await neverAskAgain(user.email, ask!);
    expect(await tryAgain(user.email)).toMatchObject({ kind: 'auth.reset', status: 'sent' });
  });

  it('is not sent to a tester whom the user has removed since', async () => {
    const [user, email] = [await app.user(), person()];
    defer(email);
    const { body: tester } = await user.agent.post('/api/testers').send({ address: email }).expect(201);
    await untilDeferred(email);
    await user.agent.delete(`/api/testers/${tester.id}`).expect(204);
    expect(await tryAgain(email)).toMatchObject({
      status: 'failed',
      payload: null,
      lastError: expect.stringContaining('tester removed'),
    });
    expect(app.mails.to(email)).toHaveLength(0);
  });

  it('is not sent if the unsubscribe began before the mail was written, and ended after', async () => {
    const { email, token } = await member();
    defer(email);
    await add(ann, (await newList(ann)).id, email).expect(201);
    await untilDeferred(email);
    await app.http().post(`/unsubscribe/${token}`).expect(200);
    for (const [table, column] of [
      ['suppressions', 'created_at'],
      ['subscriptions', 'unsubscribed_at'],
    ])
      await query(
        app,
        `update ${table} set ${column} = ${column} - interval '1 day' where ${table === 'suppressions' ? 'address_hash' : 'email_hash'} = sha256(?::bytea)`,
        [email],
      );
    expect(await tryAgain(email)).toMatchObject(CANCELLED);
  });

  describe('if the person has unsubscribed from the network since', () => {
    /** A confirmed contact of the network. */
    async function networkMember(): Promise<{ email: string; token: string }> {
      const email = person();
      await subscribe(app, { email }).expect(200);
      await confirm(tokenOf((await app.mails.waitFor(email)).at(-1)!.text)).expect(200);
      const [contact] = await query<{ token: string }>(
        app,
        `select unsubscribe_token as token from subscriptions where email_norm = ?`,
        [email],
      );
      return { email, token: contact!.token };
    }

    it.each(kindsOfMail)('is sent only for a list: %s', async (what, cause) => {
      const { email, token } = await networkMember();
      defer(email);
      await cause(await app.user(), email);
      await untilDeferred(email);
      await app.http().post(`/unsubscribe/${token}`).expect(200);
      expect(await tryAgain(email)).toMatchObject(what.includes('confirmation mail') ? { status: 'sent' } : CANCELLED);
    });

    it('is not sent for the network', async () => {
      const { email, token } = await networkMember();
      await app.http().post(`/unsubscribe/${token}`).expect(200);
      defer(email);
      // Otherwise the limit of one mail in 10 minutes per list would hold the request back.
      await query(
        app,
        `update system_mails set created_at = created_at - interval '1 day' where recipient_hash = sha256(?::bytea)`,
        [email],
      );
      await subscribe(app, { email }).expect(200);
      await untilDeferred(email);
      await app.http().post(`/unsubscribe/${token}`).expect(200);
      expect(await tryAgain(email)).toMatchObject(CANCELLED);
    });
  });
});

it('a worker whose claim another has taken over neither sends nor cancels the mail', async () => {
  const [outbox, id] = [app.get(SystemMailOutbox), newId()];
  // No such list exists, so that the mail is not wanted.
  await query(
    app,
    `insert into system_mails (id, kind, recipient_hash, recipient_mailbox, subject_id, payload, status, attempts, lease_until)
     values (?, ?, sha256('x'), sha256('x'), gen_random_uuid(), '', 'sending', 2, now() + interval '1 hour')`,
    [id, OPT_IN_MAIL],
  );
  const recheck = (attempts: number) => outbox.recheck(app.em(), { id, kind: OPT_IN_MAIL, attempts });
  const status = async () =>
    (await query<{ status: string }>(app, `select status from system_mails where id = ?`, [id]))[0]!.status;
  expect([await recheck(1), await status()]).toEqual(['lost', 'sending']);
  expect([await recheck(2), await status()]).toEqual(['cancelled', 'failed']);
});
