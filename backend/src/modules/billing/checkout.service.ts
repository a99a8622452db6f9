import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { MissingAtStripe, planPaused, stripeDown } from './billing.errors.js';
import { BillingLock } from './billing-lock.service.js';
import { bucket, Customers } from './customers.service.js';
import type { CreatedDto, CreateSubscriptionDto } from './dto/billing.dto.js';
import type { Plan } from './billing.entities.js';
import { PlanCatalogue } from './plans/plan-catalogue.service.js';
import { PlanRecords } from './plans/plan-records.service.js';
import { PlanSync, type Synced } from './plans/plan-sync.service.js';
import { StripeGateway } from './stripe-gateway.js';

type Offer = Plan & { stripePriceId: string };

/** Buys a plan. An account has at most one open purchase; repeated requests return the same one. */
@Injectable()
export class Checkout {
  constructor(
    private readonly lock: BillingLock,
    private readonly customers: Customers,
    private readonly catalogue: PlanCatalogue,
    private readonly records: PlanRecords,
    private readonly sync: PlanSync,
    private readonly gateway: StripeGateway,
  ) {}

  /** Opens or reuses a purchase: returns the client secret of the payment, or `active` if nothing is due. */
  async open(userId: string, { priceId, billingPeriod }: CreateSubscriptionDto): Promise<CreatedDto> {
    this.gateway.requireOn();
    const plan = await this.catalogue.toBuy(priceId, billingPeriod);
    return this.lock.run(userId, async (em) => {
      await this.customers.ensure(em, userId);
      const found = await this.sync.run(em, userId);
      if (found.isGone) await this.customers.make(em, userId);
      return (await this.answerFor(userId, em, found, plan)) ?? this.order(em, userId, plan);
    });
  }

  /**
   * Answers a purchase from the account's existing plan or open purchase. Ends open purchases of other plans.
   * @returns null if a new purchase is needed
   */
  private async answerFor(
    userId: string,
    em: EntityManager,
    { primary, terms }: Synced,
    plan: Offer,
  ): Promise<CreatedDto | null> {
    if (primary?.status === 'active' || primary?.status === 'trialing') return { status: 'active' };
    if (primary?.status === 'paused') throw planPaused();
    if (primary?.status === 'past_due' || primary?.status === 'unpaid') {
      const secret = await this.gateway.openSecretOf(primary.stripeSubscriptionId);
      return { status: primary.status, ...(secret && { clientSecret: secret }) };
    }
    const open = terms.filter(({ status }) => status === 'incomplete');
    const same = open.find(({ planId }) => planId === plan.id);
    const secret = same && (await this.gateway.openSecretOf(same.stripeSubscriptionId));
    for (const other of open) if (!secret || other !== same) await this.gateway.endNow(other.stripeSubscriptionId);
    if (open.length > (secret ? 1 : 0)) await this.sync.run(em, userId);
    return secret ? { status: 'incomplete', clientSecret: secret } : null;
  }

  private async order(em: EntityManager, userId: string, plan: Offer): Promise<CreatedDto> {
    const { term, clientSecret } = await this.createTerm(em, userId, plan);
    await this.sync.run(em, userId);
    if (term.status === 'active') return { status: 'active' };
    if (!clientSecret) throw stripeDown();
    return { status: 'incomplete', clientSecret };
  }

  private async createTerm(em: EntityManager, userId: string, plan: Offer): ReturnType<StripeGateway['createTerm']> {
    const key = `sub_create:${userId}:${plan.code}:${await this.records.count(em, userId)}:${bucket()}`;
    const create = (customerId: string) =>
      this.gateway.createTerm({ customerId, priceId: plan.stripePriceId, userId }, `${key}:${customerId}`);
    try {
      return await create(await this.customers.ensure(em, userId));
    } catch (error) {
      if (!(error instanceof MissingAtStripe)) throw error;
      return create(await this.customers.make(em, userId));
    }
  }
}
