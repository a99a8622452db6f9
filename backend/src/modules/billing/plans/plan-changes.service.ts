import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { BillingState } from '../../auth/index.js';
import { MissingAtStripe, noCustomer, noPlan, planEnded } from '../billing.errors.js';
import { BillingLock } from '../billing-lock.service.js';
import { PlanCatalogue } from './plan-catalogue.service.js';
import { isLive } from './plan-terms.js';
import { PlanSync } from './plan-sync.service.js';
import { StripeGateway } from '../stripe-gateway.js';

/** Cancels and resumes plans, and opens Stripe's billing portal. */
@Injectable()
export class PlanChanges {
  constructor(
    private readonly lock: BillingLock,
    private readonly sync: PlanSync,
    private readonly gateway: StripeGateway,
    private readonly catalogue: PlanCatalogue,
    private readonly billingState: BillingState,
  ) {}

  /** Cancels at the period's end or at once. A plan with a failed payment always ends at once. */
  async cancel(userId: string, immediately: boolean): Promise<void> {
    await this.onLive(userId, noPlan, async ({ stripeSubscriptionId, status, isEnding }) => {
      if (immediately || status === 'past_due' || status === 'unpaid') await this.gateway.endNow(stripeSubscriptionId);
      else if (!isEnding) await this.gateway.endWithPeriod(stripeSubscriptionId);
    });
  }

  async reactivate(userId: string): Promise<void> {
    await this.onLive(userId, planEnded, async (term) => {
      if (term.isEnding) await this.gateway.resume(term);
    });
  }

  /** URL of a new session of the billing portal. @throws noCustomer before the first purchase */
  async portalUrl(userId: string): Promise<string> {
    this.gateway.requireOn();
    const customerId = await this.lock.open(
      async (em) => (await this.billingState.payer(em, userId))?.stripeCustomerId,
    );
    if (!customerId) throw noCustomer();
    try {
      return await this.gateway.portalUrl(customerId, await this.catalogue.remotePrices());
    } catch (error) {
      this.gateway.forgetPortalConfiguration();
      throw error instanceof MissingAtStripe ? noCustomer() : error;
    }
  }

  private async onLive(
    userId: string,
    whenEnded: () => Error,
    change: (term: NonNullable<Awaited<ReturnType<PlanSync['run']>>['primary']>) => Promise<void>,
  ): Promise<void> {
    this.gateway.requireOn();
    await this.lock.run(userId, async (em: EntityManager) => {
      const { primary } = await this.sync.run(em, userId);
      if (!primary || !isLive(primary)) throw primary && primary.status !== 'incomplete' ? whenEnded() : noPlan();
      await change(primary);
      await this.sync.run(em, userId);
    });
  }
}
