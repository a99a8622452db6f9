import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { BillingState } from '../auth/index.js';
import { noPlan } from './billing.errors.js';
import { StripeGateway } from './stripe-gateway.js';
import type { AppEvents } from '../../shared/events/app-events.js';
import { OnAppEvent } from '../../shared/events/event-bus.js';
import { PlanRecords } from './plans/plan-records.service.js';

const BUCKET_MS = 600_000;

/**
 * Number of the current time interval, a part of idempotency keys. Stripe replays stored failures too, so a key must
 * soon change.
 */
export const bucket = (): number => Math.floor(Date.now() / BUCKET_MS);

/** Maps accounts to Stripe customers. */
@Injectable()
export class Customers {
  constructor(
    private readonly billingState: BillingState,
    private readonly gateway: StripeGateway,
  ) {}

  /** Id of the account's Stripe customer, which is created on first use. */
  async ensure(em: EntityManager, userId: string): Promise<string> {
    return (await this.billingState.payer(em, userId))?.stripeCustomerId ?? this.make(em, userId);
  }

  /** Creates a Stripe customer for the account. It replaces a stored customer that Stripe no longer knows. */
  async make(em: EntityManager, userId: string): Promise<string> {
    const payer = await this.billingState.payer(em, userId);
    if (!payer) throw noPlan();
    const customerId = await this.gateway.createCustomer(
      payer,
      `cus_create:${userId}:${payer.stripeCustomerId ?? 0}:${bucket()}`,
    );
    await this.billingState.setCustomer(em, userId, customerId);
    return customerId;
  }
}

/** Deletes the Stripe customer of a deleted account, which ends its plans. */
@Injectable()
export class ClosedAccounts {
  private readonly log = new Logger(ClosedAccounts.name);

  constructor(
    private readonly em: EntityManager,
    private readonly records: PlanRecords,
    private readonly gateway: StripeGateway,
  ) {}

  /**
   * Deletes the customer in the background, so that the user need not wait for Stripe. PlanReconcile retries failures.
   */
  @OnAppEvent('user.deleted')
  onDeleted({ stripeCustomerId }: AppEvents['user.deleted']): void {
    if (!stripeCustomerId || this.gateway.mode === 'off') return;
    void this.end(stripeCustomerId).catch((error: Error) =>
      this.log.warn(`a closed account's plan is still open: ${error.message}`),
    );
  }

  async end(stripeCustomerId: string): Promise<void> {
    await this.gateway.deleteCustomer(stripeCustomerId);
    await this.records.forget(this.em.fork(), stripeCustomerId);
  }
}
