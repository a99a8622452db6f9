import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import {
  asCredited,
  asScheduled,
  rescheduleOpen,
  type FirstPayment,
  ReferralCredits,
} from '../../../src/modules/referrals/index.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { codeInDatabase, conversions, register } from './support.js';

let app: TestApp;
let credits: ReferralCredits;

beforeAll(async () => {
  app = await startApp();
  credits = app.get(ReferralCredits);
});
afterAll(() => app.close());

const DAY = 86_400_000;
const within = <T>(work: (em: EntityManager) => Promise<T>): Promise<T> => app.em().transactional(work);
const pay = (referredUserId: string, over: Partial<FirstPayment> = {}) =>
  within((em) =>
    credits.recordFirstPayment(em, { referredUserId, invoiceId: `in_${randomUUID()}`, at: new Date(), ...over }),
  );
const monthsOf = (user: SignedUp) => credits.creditsOf(app.em(), user.id);

async function referredBy(referrer: SignedUp): Promise<string> {
  return (await register(app, await codeInDatabase(app, referrer.id)).expect(201)).body.user.id as string;
}

describe('a first payment', () => {
  it('earns the referrer one month that runs at once, and the next payment one that follows it', async () => {
    const referrer = await app.user();
    const before = Date.now();
    const [first, second] = [await pay(await referredBy(referrer)), await pay(await referredBy(referrer))];
    expect(first).toMatchObject({ earned: true, referrerUserId: referrer.id, credit: { state: 'scheduled', n: 0 } });
    expect(second.earned).toBe(true);
    const [one, two] = await monthsOf(referrer);
    expect(Number(one!.startsAt)).toBeGreaterThanOrEqual(before);
    expect(Number(one!.startsAt)).toBeLessThanOrEqual(Date.now());
    expect(two!.startsAt).toEqual(one!.endsAt);
  });

  it('counts once for repeated and concurrent calls', async () => {
    const referrer = await app.user();
    const referred = await referredBy(referrer);
    const told = await Promise.all(Array.from({ length: 8 }, () => pay(referred)));
    expect(told.filter(({ earned }) => earned)).toHaveLength(1);
    expect(told.filter((each) => !each.earned && each.reason === 'already')).toHaveLength(7);
    expect(await monthsOf(referrer)).toHaveLength(1);
    expect((await conversions(app, referred)).map(({ type }) => type)).toEqual(['paid', 'signup']);
  });

  it('earns nothing without a referrer', async () => {
    const { id } = await app.user();
    expect(await pay(id)).toEqual({ earned: false, reason: 'not_referred', referrerUserId: null });
    expect(await credits.signupOf(app.em(), id)).toBeNull();
  });

  it('with the referrer’s own card earns nothing, then or later', async () => {
    const referrer = await app.user();
    const referred = await referredBy(referrer);
    const awaits = async () => credits.awaitsFirstPayment(app.em(), (await credits.signupOf(app.em(), referred))!);
    expect(await awaits()).toBe(true);
    const own = await pay(referred, { cardFingerprint: 'fp_own', referrerCards: ['fp_other', 'fp_own'] });
    expect(own).toMatchObject({ earned: false, reason: 'same_card' });
    expect(await pay(referred, { cardFingerprint: 'fp_new' })).toMatchObject({ earned: false, reason: 'same_card' });
    expect(await awaits()).toBe(false);
    expect(await conversions(app, referred)).toMatchObject([{ type: 'signup' }]);
  });

  it('with one card for two referred accounts earns once', async () => {
    const referrer = await app.user();
    const [one, two] = [await referredBy(referrer), await referredBy(referrer)];
    expect(await pay(one, { cardFingerprint: 'fp_shared' })).toMatchObject({ earned: true });
    expect(await pay(two, { cardFingerprint: 'fp_shared' })).toMatchObject({ earned: false, reason: 'same_card' });
  });

  it('earns at most twelve months a year; the thirteenth payment is still a paid conversion', async () => {
    const referrer = await app.user();
    for (let i = 0; i < 12; i += 1) expect((await pay(await referredBy(referrer))).earned).toBe(true);
    const thirteenth = await referredBy(referrer);
    expect(await pay(thirteenth)).toMatchObject({ earned: false, reason: 'yearly_limit', referrerUserId: referrer.id });
    expect((await conversions(app, thirteenth)).map(({ type }) => type)).toEqual(['paid', 'signup']);
    expect(await pay(await referredBy(referrer), { at: new Date(Date.now() + 366 * DAY) })).toMatchObject({
      earned: true,
    });
    const months = await monthsOf(referrer);
    months.slice(1).forEach((month, i) => expect(month.startsAt).toEqual(months[i]!.endsAt));
  });

  it('rolls back with the caller’s transaction', async () => {
    const referrer = await app.user();
    const referred = await referredBy(referrer);
    const broken = within(async (em) => {
      await credits.recordFirstPayment(em, { referredUserId: referred, invoiceId: 'in_rolled_back', at: new Date() });
      throw new Error('the webhook failed');
    });
    await expect(broken).rejects.toThrow('the webhook failed');
    expect(await monthsOf(referrer)).toEqual([]);
    expect(await pay(referred, { invoiceId: 'in_rolled_back' })).toMatchObject({ earned: true });
  });

  it('finds the sign-up that a crash left uncounted', async () => {
    const referrer = await app.user();
    const referred = (await app.user()).id;
    await rows(
      app.em(),
      `update users set referral_refs = jsonb_build_array((select referral_code from users where id = ?)) where id = ?`,
      [referrer.id, referred],
    );
    expect(await pay(referred)).toMatchObject({ earned: true, referrerUserId: referrer.id });
    expect((await conversions(app, referred)).map(({ type }) => type)).toEqual(['paid', 'signup']);
  });
});

describe('revoking a month', () => {
  const takeBack = (invoiceId: string, days: number) =>
    within((em) => credits.clawBack(em, { invoiceId, at: new Date(Date.now() + days * DAY), reason: 'refund' }));

  it('within 30 days takes effect once and moves the later ones forward', async () => {
    const referrer = await app.user();
    await pay(await referredBy(referrer), { invoiceId: 'in_first' });
    await pay(await referredBy(referrer));
    const [first, second] = await monthsOf(referrer);
    const before = Date.now();
    const taken = await Promise.all([takeBack('in_first', 10), takeBack('in_first', 10)]);
    expect(taken.filter(Boolean)).toEqual([{ userId: referrer.id, was: first }]);
    const [revoked, moved] = await monthsOf(referrer);
    expect(revoked).toMatchObject({ state: 'revoked', reason: 'refund' });
    expect(moved!.id).toBe(second!.id);
    expect(Number(moved!.startsAt)).toBeGreaterThanOrEqual(before);
    expect(Number(moved!.startsAt)).toBeLessThanOrEqual(Date.now());
  });

  it('after 30 days, or for an unknown invoice, has no effect', async () => {
    const referrer = await app.user();
    await pay(await referredBy(referrer), { invoiceId: 'in_kept' });
    expect(await takeBack('in_kept', 40)).toBeNull();
    expect(await takeBack('in_unknown', 1)).toBeNull();
    expect((await monthsOf(referrer))[0]!.state).toBe('scheduled');
  });

  it('returns a credited month to billing, and marks a consumed one as uncollected', async () => {
    const referrer = await app.user();
    await pay(await referredBy(referrer), { invoiceId: 'in_credited' });
    await pay(await referredBy(referrer), { invoiceId: 'in_consumed' });
    await within(async (em) => {
      const [one, two] = await credits.creditsOf(em, referrer.id, { lock: true });
      await credits.save(em, [
        asCredited(one!, 'cbtxn_1', 1000),
        { ...asCredited(two!, 'cbtxn_2', 1000), state: 'consumed' },
      ]);
    });
    expect(await takeBack('in_credited', 1)).toMatchObject({
      was: { state: 'credited', balanceTxnId: 'cbtxn_1', cents: 1000, n: 1 },
    });
    expect(await takeBack('in_consumed', 1)).toMatchObject({ was: { state: 'consumed' } });
    expect((await monthsOf(referrer)).map(({ state, reason }) => [state, reason])).toEqual([
      ['revoked', 'refund'],
      ['revoked', 'uncollected'],
    ]);
  });

  it('works after the referred account was deleted', async () => {
    const referrer = await app.user();
    const referred = await referredBy(referrer);
    await pay(referred, { invoiceId: 'in_deleted' });
    await rows(app.em(), `delete from users where id = ?`, [referred]);
    expect((await monthsOf(referrer))[0]!.state).toBe('scheduled');
    expect(await takeBack('in_deleted', 3)).not.toBeNull();
  });
});

describe('free months', () => {
  it("are converted to credit and back, under the account's lock", async () => {
    const referrer = await app.user();
    await pay(await referredBy(referrer));
    await within(async (em) => {
      const [month] = await credits.creditsOf(em, referrer.id, { lock: true });
      await credits.save(em, [asCredited(month!, 'cbtxn_9', 800)]);
    });
    expect(await monthsOf(referrer)).toMatchObject([
      { state: 'credited', startsAt: null, endsAt: null, cents: 800, n: 1 },
    ]);
    const from = new Date(Date.now() + 20 * DAY);
    await within(async (em) => {
      const back = (await credits.creditsOf(em, referrer.id, { lock: true })).map(asScheduled);
      await credits.save(em, rescheduleOpen(back, new Date(), from));
    });
    expect(await monthsOf(referrer)).toMatchObject([
      { state: 'scheduled', startsAt: from, balanceTxnId: null, cents: null, n: 2 },
    ]);
  });
});
