import request from 'supertest';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import type { CaughtMail } from '../../kit/mail-catcher.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';

let count = 0;

/** Referral code of a user. */
export async function codeOf(user: SignedUp): Promise<string> {
  return (await user.agent.get('/api/referrals/code').expect(200)).body.code as string;
}

/**
 * Registers as a browser would, with the query of its URL.
 * @returns the answer
 */
export function register(
  app: TestApp,
  referralCode?: string,
  { email = `r${++count}-${Date.now()}@referred.test`, agent = request.agent(app.url) } = {},
) {
  return agent
    .post('/api/auth/register')
    .send({ email, password: PASSWORD, firstName: 'Rob', lastName: 'Newman', role: 'recruiter', referralCode });
}

export const conversions = (app: TestApp, referredUserId: string) =>
  rows<{ referrer: string; type: string; invite: string | null }>(
    app.em(),
    `select referrer_user_id as referrer, conversion_type as type, invite_id as invite from referral_conversions where referred_user_id = ? order by conversion_type`,
    [referredUserId],
  );

export const codeInDatabase = async (app: TestApp, userId: string): Promise<string> =>
  (await rows<{ code: string }>(app.em(), `select referral_code as code from users where id = ?`, [userId]))[0]!.code;

/** Invites an address and waits for the mail. */
export async function invite(app: TestApp, user: SignedUp, inviteeEmail: string): Promise<CaughtMail> {
  await user.agent.post('/api/referrals/invite').send({ inviteeEmail }).expect(201);
  return (await app.mails.waitFor(inviteeEmail)).at(-1)!;
}
