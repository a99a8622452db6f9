import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { BOUNCES, complaint, envelopeOf, post, suppressionsOf } from '../email/support.js';
import { add, daysLater, newList, query, settled, subscribe } from './support.js';

let app: TestApp;
let owner: SignedUp;

beforeAll(async () => {
  app = await startApp({ env: BOUNCES });
  owner = await app.user();
});
afterAll(() => app.close());

let serial = 0;
/** A mailbox whose owner complained about the first mail. */
async function complainer(bring: (email: string) => Promise<unknown>): Promise<string> {
  const email = `spam${(serial += 1)}@complains.example`;
  await bring(email);
  const envelope = await envelopeOf(app, email);
  expect(await post(app, envelope, complaint(envelope, envelope))).toContain('counted');
  return email;
}
const invite = (user: SignedUp, inviteeEmail: string) =>
  user.agent.post('/api/referrals/invite').send({ inviteeEmail });

/** Tries every feature that mails strangers, with two addresses of the mailbox. @returns the mails that were sent */
async function askedAgain(email: string): Promise<string[]> {
  await daysLater(app, 40);
  await query(app, `update referral_invites set sent_at = sent_at - interval '40 days'`);
  const before = app.mails.all.length;
  const [name] = email.split('@') as [string];
  for (const address of [email, `${name}+x@complains.example`]) {
    const other = await app.user();
    const { id } = await newList(other);
    for (const emailListId of [id, undefined])
      expect((await subscribe(app, { email: address, emailListId })).status).toBe(200);
    expect([201, 409]).toContain((await add(other, (await newList(other)).id, address)).status);
    await invite(other, address).expect(201);
  }
  await settled(app);
  return app.mails.all
    .slice(before)
    .filter(({ to }) => to[0]!.startsWith(name))
    .map(({ subject }) => subject);
}

describe('a person who reports an unrequested mail as spam', () => {
  it.each([
    [
      'a confirmation mail of an owner',
      async (email: string) => add(owner, (await newList(owner)).id, email).expect(201),
    ],
    [
      'a confirmation mail that a visitor asked for',
      async (email: string) => subscribe(app, { email, emailListId: (await newList(owner)).id }).expect(200),
    ],
    ['a confirmation mail of the network', async (email: string) => subscribe(app, { email }).expect(200)],
  ])('is unsubscribed from all senders and not asked again: %s', async (_what, bring) => {
    const email = await complainer(bring);
    expect(await suppressionsOf(app, email)).toEqual([{ scope: 'all', reason: 'complained', days: null }]);
    expect(await askedAgain(email)).toEqual([]);
  });

  it('is neither invited nor asked again after reporting an invite', async () => {
    const email = await complainer((to) => invite(owner, to).expect(201));
    expect(await suppressionsOf(app, email)).toEqual([]);
    expect(await askedAgain(email)).toEqual([]);
  });
});
