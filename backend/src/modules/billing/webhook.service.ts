import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { changed } from '../../shared/database/rows.js';
import { PlanFacts } from '../auth/index.js';
import { BillingTurns } from './billing-turns.service.js';
import { PlanSync } from './plan-sync.service.js';
import { ReturnedPayments } from './returned-payments.service.js';
import { StripeGateway, type StripeNotice } from './stripe-gateway.js';

/** What can change a plan, an invoice or a payment of ours; all else is taken and left. */
const LISTENED = new Set([
  ...['created', 'updated', 'deleted', 'paused', 'resumed', 'pending_update_applied', 'pending_update_expired'].map((what) => `customer.subscription.${what}`),
  ...['paid', 'payment_failed', 'payment_action_required', 'voided', 'marked_uncollectible'].map((what) => `invoice.${what}`),
  'charge.refunded', 'charge.dispute.created', 'charge.dispute.closed', 'customer.deleted',
]);

/** Events are hints: each makes us read the account's state again, once, in whatever order they come. */
@Injectable()
export class Webhooks {
  private readonly log = new Logger(Webhooks.name);

  constructor(
    private readonly gateway: StripeGateway,
    private readonly turns: BillingTurns,
    private readonly facts: PlanFacts,
    private readonly sync: PlanSync,
    private readonly returned: ReturnedPayments,
  ) {}

  /** @throws badSignature; any other throw has changed nothing, and Stripe tries again */
  async receive(raw: Buffer, signature: string | undefined): Promise<void> {
    await this.take(this.gateway.readEvent(raw, signature));
  }

  async take(notice: StripeNotice): Promise<void> {
    const { id, type, livemode } = notice;
    if (livemode !== (this.gateway.mode === 'live')) return this.log.warn({ id, type }, 'an event of the other mode');
    if (!LISTENED.has(type)) return this.log.debug({ id, type }, 'an event that changes nothing here');
    const payment = notice.chargeId ? await this.returned.read(notice) : null;
    const customerId = notice.customerId ?? payment?.customerId ?? null;
    await this.turns.open(async (em) => {
      const isNew = await changed(em, `insert into stripe_events (id, type, customer_id) values (?, ?, ?) on conflict do nothing`, [id, type, customerId]);
      if (!isNew) return;
      const userId = customerId && (await this.facts.ownerOf(em, customerId));
      if (userId) await this.apply(em, userId, notice, payment);
      else this.log.warn({ id, type, customerId }, 'an event of a customer that is none of ours');
      await changed(em, `update stripe_events set processed_at = now(), outcome = ? where id = ?`, [userId ? 'synced' : 'unknown_customer', id]);
    });
  }

  private async apply(em: EntityManager, userId: string, notice: StripeNotice, payment: Awaited<ReturnType<ReturnedPayments['read']>>): Promise<void> {
    await this.turns.take(em, userId);
    const synced = await this.sync.run(em, userId);
    if (payment && (await this.returned.settle(em, userId, payment, synced))) await this.sync.run(em, userId);
    this.log.log({ id: notice.id, type: notice.type, userId }, 'an event was taken');
  }
}
