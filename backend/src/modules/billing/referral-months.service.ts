import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock/clock.js';
import { type FreeMonthFacts, BillingState } from '../auth/index.js';
import {
  accessUntil,
  asCredited,
  asScheduled,
  balanceKey,
  rescheduleOpen,
  type ClawBack,
  consumedBy,
  type CreditMonth,
  ReferralCredits,
  type Signup,
  unexpired,
} from '../referrals/index.js';
import { MissingAtStripe } from './billing.errors.js';
import { BillingLock } from './billing-lock.service.js';
import { PlanCatalogue } from './plans/plan-catalogue.service.js';
import { PlanRecords } from './plans/plan-records.service.js';
import { type PlanTerm, primaryOf } from './plans/plan-terms.js';
import { StripeGateway } from './stripe-gateway.js';

/** Applies earned months: as Pro time for users without a paid plan, as invoice credit for paying users. */
@Injectable()
export class ReferralMonths {
  constructor(
    private readonly credits: ReferralCredits,
    private readonly billingState: BillingState,
    private readonly gateway: StripeGateway,
    private readonly catalogue: PlanCatalogue,
    private readonly records: PlanRecords,
    private readonly lock: BillingLock,
    private readonly clock: Clock,
  ) {}

  /**
   * Records a referred person's first payment, which earns the referrer a month. Called at every sync, so a lost
   * webhook loses no month.
   */
  async recordPayment(em: EntityManager, signup: Signup, customerId: string): Promise<void> {
    if (!(await this.credits.awaitsFirstPayment(em, signup))) return;
    const { referred, referrer } = signup;
    const paid = await this.gateway.firstPayment(customerId);
    if (!paid) return;
    await this.lock.take(em, referrer);
    const earned = await this.credits.recordFirstPayment(em, {
      referredUserId: referred,
      invoiceId: paid.invoiceId,
      at: paid.paidAt,
      cardFingerprint: paid.cardFingerprint,
      referrerCards: await this.cardsOf(em, referrer),
    });
    if (earned.earned) await this.rebalance(em, referrer);
  }

  /** Revokes the referrer's month after the first payment was refunded or lost in a dispute. */
  async takeBack(em: EntityManager, userId: string, claim: ClawBack): Promise<void> {
    const referrer = await this.credits.referrerOf(em, userId);
    if (!referrer) return;
    await this.lock.take(em, referrer);
    const taken = await this.credits.clawBack(em, claim);
    if (!taken) return;
    if (taken.was.state === 'credited') await this.reverse(em, taken.was);
    await this.rebalance(em, referrer);
  }

  /**
   * Converts earned months to invoice credit while the account pays for a plan, and to Pro time otherwise. Copies the
   * totals of the months to the account's row in users. The caller holds the account's billing lock.
   */
  async rebalance(em: EntityManager, userId: string, known?: PlanTerm | null): Promise<void> {
    const primary = known === undefined ? primaryOf(await this.records.termsOf(em, userId)) : known;
    const before = await this.credits.creditsOf(em, userId, { lock: true });
    const now = this.clock.now();
    const customerId = (await this.billingState.payer(em, userId))?.stripeCustomerId ?? null;
    let months = before;
    if (months.some(({ state }) => state === 'credited')) months = await this.settled(months, customerId);
    const pays = primary?.status === 'active' && primary.planId !== null && !primary.isEnding && customerId !== null;
    months = pays
      ? await this.asMoney(months, customerId, await this.rateOf(primary), now)
      : await this.asTime(months, customerId, now, primary);
    const changes = months.filter((month, i) => JSON.stringify(month) !== JSON.stringify(before[i]));
    if (changes.length > 0) await this.credits.save(em, changes);
    await this.billingState.writeMonths(em, userId, factsOf(months, now), now);
  }

  /**
   * Marks months whose credit invoices have used up as consumed. A month whose credit was already reversed at Stripe
   * becomes Pro time again, and so do all credited months if Stripe does not know the customer.
   */
  private async settled(months: CreditMonth[], customerId: string | null): Promise<CreditMonth[]> {
    try {
      if (!customerId) throw new MissingAtStripe('no customer');
      const entries = await this.gateway.balanceEntries(customerId);
      const back = months.map((month) =>
        month.state === 'credited' && entries.has(balanceKey(month)) ? asScheduled(month) : month,
      );
      return replaced(back, consumedBy(back, await this.gateway.creditOf(customerId)));
    } catch (error) {
      if (!(error instanceof MissingAtStripe)) throw error;
      return months.map((month) => (month.state === 'credited' ? asScheduled(month) : month));
    }
  }

  private async asMoney(months: CreditMonth[], customerId: string, cents: number, now: Date): Promise<CreditMonth[]> {
    const open = new Set(
      [
        ...unexpired(months, now),
        ...months.filter(({ state, endsAt }) => state === 'scheduled' && endsAt === null),
      ].map(({ id }) => id),
    );
    if (open.size === 0) return months;
    const entries = await this.gateway.balanceEntries(customerId);
    const done: CreditMonth[] = [];
    for (const month of months) {
      if (!open.has(month.id)) done.push(month);
      else
        done.push(
          asCredited(month, await this.enter(entries, customerId, month, -cents, 'Free month from a referral'), cents),
        );
    }
    return done;
  }

  private async asTime(
    months: CreditMonth[],
    customerId: string | null,
    now: Date,
    primary: PlanTerm | null,
  ): Promise<CreditMonth[]> {
    const credited = months.filter(({ state }) => state === 'credited');
    const entries =
      credited.length > 0 && customerId ? await this.gateway.balanceEntries(customerId) : new Map<string, string>();
    for (const month of credited)
      await this.enter(entries, customerId!, month, month.cents ?? 0, 'Free month turned back into time');
    const back = months.map((month) => (month.state === 'credited' ? asScheduled(month) : month));
    const paidUntil = primary?.isEnding && primary.status === 'active' ? primary.periodEnd : null;
    return replaced(back, rescheduleOpen(back, now, paidUntil && paidUntil > now ? paidUntil : now));
  }

  /**
   * Creates the balance entry of a month at Stripe, or finds the one that an interrupted attempt created.
   * @returns its id
   */
  private async enter(
    entries: Map<string, string>,
    customerId: string,
    month: CreditMonth,
    cents: number,
    text: string,
  ): Promise<string> {
    const key = balanceKey(month);
    return entries.get(key) ?? this.gateway.addToBalance(customerId, cents, key, text);
  }

  private async reverse(em: EntityManager, month: CreditMonth): Promise<void> {
    const customerId = (await this.billingState.payer(em, month.userId))?.stripeCustomerId;
    if (!customerId) return;
    try {
      await this.enter(
        await this.gateway.balanceEntries(customerId),
        customerId,
        month,
        month.cents ?? 0,
        'Free month taken back',
      );
    } catch (error) {
      if (!(error instanceof MissingAtStripe)) throw error;
    }
  }

  /** Value of an earned month in cents: the referrer's own monthly price. @returns 0 for an unknown plan */
  private async rateOf({ planId }: PlanTerm): Promise<number> {
    const plan = (await this.catalogue.all()).find(({ id }) => id === planId);
    return plan ? Math.round(plan.billingInterval === 'year' ? plan.priceCents / 12 : plan.priceCents) : 0;
  }

  private async cardsOf(em: EntityManager, userId: string): Promise<string[]> {
    const customerId = (await this.billingState.payer(em, userId))?.stripeCustomerId;
    if (!customerId) return [];
    return this.gateway.cardsOf(customerId).catch((error: unknown) => {
      if (error instanceof MissingAtStripe) return [];
      throw error;
    });
  }
}

const replaced = (months: CreditMonth[], changes: CreditMonth[]): CreditMonth[] =>
  months.map((month) => changes.find(({ id }) => id === month.id) ?? month);

function factsOf(months: CreditMonth[], now: Date): FreeMonthFacts {
  const open = unexpired(months, now).sort((a, b) => Number(a.startsAt) - Number(b.startsAt));
  const from = open[0]?.startsAt ?? null;
  const until = from && accessUntil(months, from > now ? from : now);
  return {
    from,
    until,
    ends: open.map(({ endsAt }) => endsAt!),
    credited: months.filter(({ state }) => state === 'credited').length,
  };
}
