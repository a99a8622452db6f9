import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../shared/clock/clock.js';
import { BillingState } from '../../auth/index.js';
import { ReferralCredits } from '../../referrals/index.js';
import { MissingAtStripe } from '../billing.errors.js';
import { PlanCatalogue } from './plan-catalogue.service.js';
import { PlanRecords } from './plan-records.service.js';
import { accessUntilOf, isLive, type PlanTerm, primaryOf } from './plan-terms.js';
import { ReferralMonths } from '../referral-months.service.js';
import { StripeGateway } from '../stripe-gateway.js';
import type { RemoteTerm } from '../stripe-gateway.objects.js';

type SyncedTerm = RemoteTerm & PlanTerm;

export interface Synced {
  terms: SyncedTerm[];
  primary: SyncedTerm | null;
  /** True if Stripe does not know the stored customer. */
  isGone: boolean;
}

/**
 * Copies Stripe's state of an account into the database. Runs for every Stripe event, billing call and scheduled check.
 * The caller holds the account's billing lock.
 */
@Injectable()
export class PlanSync {
  private readonly log = new Logger(PlanSync.name);

  constructor(
    private readonly billingState: BillingState,
    private readonly gateway: StripeGateway,
    private readonly catalogue: PlanCatalogue,
    private readonly records: PlanRecords,
    private readonly months: ReferralMonths,
    private readonly referrals: ReferralCredits,
    private readonly clock: Clock,
  ) {}

  async run(em: EntityManager, userId: string): Promise<Synced> {
    const customerId = (await this.billingState.payer(em, userId))?.stripeCustomerId;
    if (!customerId) return { terms: [], primary: null, isGone: false };
    const remote = await this.read(customerId);
    const terms = await this.withPlans(userId, remote ?? []);
    const signup = remote && (await this.referrals.signupOf(em, userId));
    for (const term of terms)
      await this.records.write(em, { userId, customerId, inviteId: signup?.invite ?? null }, term);
    if (!remote) await this.records.closeAll(em, userId, this.clock.now());
    const primary = primaryOf(terms);
    if (terms.filter(isLive).length > 1) this.log.error({ userId }, 'an account has more than one active plan');
    await this.mirror(em, userId, primary ?? primaryOf(await this.records.termsOf(em, userId)));
    if (signup) await this.months.recordPayment(em, signup, customerId);
    await this.months.rebalance(em, userId, primary);
    return { terms, primary, isGone: !remote };
  }

  private async read(customerId: string): Promise<RemoteTerm[] | null> {
    try {
      return await this.gateway.termsOf(customerId);
    } catch (error) {
      if (!(error instanceof MissingAtStripe)) throw error;
      this.log.warn({ customerId }, 'Stripe does not know this customer');
      return null;
    }
  }

  private async withPlans(userId: string, remote: RemoteTerm[]): Promise<SyncedTerm[]> {
    const plans = await this.catalogue.all();
    return remote.map((term) => {
      const plan = plans.find(({ stripePriceId }) => stripePriceId !== null && stripePriceId === term.priceId);
      if (!plan && isLive(term))
        this.log.error({ userId, priceId: term.priceId }, 'an active plan has an unknown price and grants nothing');
      return { ...term, planId: plan?.id ?? null };
    });
  }

  private async mirror(em: EntityManager, userId: string, primary: PlanTerm | null): Promise<void> {
    await this.billingState.writePlan(
      em,
      userId,
      {
        stripeSubscriptionId: primary?.stripeSubscriptionId ?? null,
        status: primary?.status ?? null,
        endDate: primary && (primary.endedAt ?? primary.periodEnd),
        accessUntil: accessUntilOf(primary),
      },
      this.clock.now(),
    );
  }
}
