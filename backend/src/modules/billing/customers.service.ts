import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { PlanFacts } from '../auth/index.js';
import { noPlan } from './billing.errors.js';
import { StripeGateway } from './stripe-gateway.js';

const BUCKET_MS = 600_000;

/** Stripe replays even a stored failure: a key must not outlive the click. */
export const bucket = (): number => Math.floor(Date.now() / BUCKET_MS);

/** Who an account is at Stripe. */
@Injectable()
export class Customers {
  constructor(private readonly facts: PlanFacts, private readonly gateway: StripeGateway) {}

  /** The account's customer, made on first use. */
  async ensure(em: EntityManager, userId: string): Promise<string> {
    return (await this.facts.payer(em, userId))?.stripeCustomerId ?? this.make(em, userId);
  }

  /** A new customer, in place of one that Stripe no longer knows. */
  async make(em: EntityManager, userId: string): Promise<string> {
    const payer = await this.facts.payer(em, userId);
    if (!payer) throw noPlan();
    const customerId = await this.gateway.createCustomer(payer, `cus_create:${userId}:${payer.stripeCustomerId ?? 0}:${bucket()}`);
    await this.facts.setCustomer(em, userId, customerId);
    return customerId;
  }
}
