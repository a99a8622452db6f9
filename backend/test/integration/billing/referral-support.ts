import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import request from 'supertest';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { type Billing, startBilling, userRow } from '../../kit/stripe/stripe.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';

export let billing: Billing;

beforeAll(async () => {
  billing = await startBilling();
}, 120_000);
afterEach(() => billing.clock.setTo(new Date()));
afterAll(() => billing.close());

/** Cards of the two people. If both pay with the same card, no month is earned. */
export const OWN = 'pm_card_visa';
export const THEIRS = 'pm_card_mastercard';

/** Registers through a user's referral link. */
export async function referredBy(
  referrer: SignedUp,
  email = `r${randomBytes(5).toString('hex')}@referred.test`,
): Promise<SignedUp> {
  const [{ code }] = (await rows<{ code: string }>(
    billing.app.em(),
    'select referral_code as code from users where id = ?',
    [referrer.id],
  )) as [{ code: string }];
  const agent = request.agent(billing.app.url);
  const body = {
    email,
    password: PASSWORD,
    firstName: 'Rob',
    lastName: 'Newman',
    role: 'recruiter',
    referralCode: code,
  };
  const { body: answer } = await agent.post('/api/auth/register').send(body).expect(201);
  return { id: answer.user.id as string, email, agent };
}

interface Credit {
  state: string;
  starts: number | null;
  ends: number | null;
  cents: number | null;
  reason: string | null;
}
export const creditsOf = async (user: SignedUp): Promise<Credit[]> =>
  (
    await rows<{
      state: string;
      starts_at: string | null;
      ends_at: string | null;
      cents: number | null;
      reason: string | null;
    }>(
      billing.app.em(),
      'select state, starts_at, ends_at, cents, reason from referral_credits where user_id = ? order by earned_at, id',
      [user.id],
    )
  ).map(
    (row) =>
      ({
        state: row.state,
        cents: row.cents,
        reason: row.reason,
        starts: row.starts_at && +new Date(row.starts_at) / 1000,
        ends: row.ends_at && +new Date(row.ends_at) / 1000,
      }) as Credit,
  );

export const balanceOf = async (user: SignedUp): Promise<number> => {
  const customer = await billing.stripe.customers.retrieve((await userRow(billing.app, user)).customer!);
  return customer.deleted ? NaN : customer.balance;
};
