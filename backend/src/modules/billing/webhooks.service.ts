import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { changed } from '../../shared/database/queries/rows.js';
import { BillingState } from '../auth/index.js';
import { BillingLock } from './billing-lock.service.js';
import { PlanSync } from './plans/plan-sync.service.js';
import { Refunds } from './refunds.service.js';
import { StripeGateway } from './stripe-gateway.js';
import type { StripeEventHint } from './stripe-gateway.objects.js';

/** Event types that can change a plan, invoice or payment; others are acknowledged and ignored. */
const HANDLED_EVENTS = new Set([
  ...['created', 'updated', 'deleted', 'paused', 'resumed', 'pending_update_applied', 'pending_update_expired'].map(
    (what) => `customer.subscription.${what}`,
  ),
  ...['paid', 'payment_failed', 'payment_action_required', 'voided', 'marked_uncollectible'].map(
    (what) => `invoice.${what}`,
  ),
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
  'customer.deleted',
]);

/** Treats events as hints: each triggers one fresh read of the account's state, whatever the order of arrival. */
@Injectable()
export class Webhooks {
  private readonly log = new Logger(Webhooks.name);

  constructor(
    private readonly gateway: StripeGateway,
    private readonly lock: BillingLock,
    private readonly billingState: BillingState,
    private readonly sync: PlanSync,
    private readonly refunds: Refunds,
  ) {}

  /**
   * Handles a signed webhook body.
   * @throws badSignature; after any other error nothing has changed, and Stripe retries
   */
  async receive(raw: Buffer, signature: string | undefined): Promise<void> {
    await this.take(this.gateway.readEvent(raw, signature));
  }

  async take(hint: StripeEventHint): Promise<void> {
    const { id, type, livemode } = hint;
    if (livemode !== (this.gateway.mode === 'live'))
      return this.log.warn({ id, type }, 'ignored an event of the other mode (live or test)');
    if (!HANDLED_EVENTS.has(type)) return this.log.debug({ id, type }, 'ignored an event without effect');
    const payment = hint.chargeId ? await this.refunds.read(hint) : null;
    const customerId = hint.customerId ?? payment?.customerId ?? null;
    await this.lock.open(async (em) => {
      const isNew = await changed(
        em,
        `insert into stripe_events (id, type, customer_id) values (?, ?, ?) on conflict do nothing`,
        [id, type, customerId],
      );
      if (!isNew) return;
      const userId = customerId && (await this.billingState.ownerOf(em, customerId));
      if (userId) await this.apply(em, userId, hint, payment);
      else this.log.warn({ id, type, customerId }, 'ignored an event of an unknown customer');
      await changed(em, `update stripe_events set processed_at = now(), outcome = ? where id = ?`, [
        userId ? 'synced' : 'unknown_customer',
        id,
      ]);
    });
  }

  private async apply(
    em: EntityManager,
    userId: string,
    hint: StripeEventHint,
    payment: Awaited<ReturnType<Refunds['read']>>,
  ): Promise<void> {
    await this.lock.take(em, userId);
    const synced = await this.sync.run(em, userId);
    if (payment && (await this.refunds.settle(em, userId, payment, synced))) await this.sync.run(em, userId);
    this.log.log({ id: hint.id, type: hint.type, userId }, 'processed an event');
  }
}
