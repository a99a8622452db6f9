import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { MissingAtStripe } from './billing.errors.js';
import { isLive } from './plans/plan-terms.js';
import type { Synced } from './plans/plan-sync.service.js';
import { ReferralMonths } from './referral-months.service.js';
import { StripeGateway } from './stripe-gateway.js';
import type { StripeEventHint } from './stripe-gateway.objects.js';

/** A payment that was refunded in full or lost in a dispute. */
export interface ReturnedPayment {
  customerId: string | null;
  invoiceId: string | null;
  /** Null for a partial refund, and for a dispute that is open or won. */
  by: 'refund' | 'dispute' | null;
  at: Date;
}

/** Ends what a payment bought, after the payment was refunded in full or lost in a dispute. */
@Injectable()
export class Refunds {
  constructor(
    private readonly gateway: StripeGateway,
    private readonly months: ReferralMonths,
  ) {}

  /**
   * Reads the charge of an event from Stripe, because the event itself may be outdated.
   * @returns null if Stripe does not know the charge
   */
  async read(hint: StripeEventHint): Promise<ReturnedPayment | null> {
    try {
      const { customerId, invoiceId, isRefunded } = await this.gateway.paymentOf(hint.chargeId!);
      const isLost = hint.type === 'charge.dispute.closed' && hint.status === 'lost';
      const isDispute = hint.type.startsWith('charge.dispute.');
      return {
        customerId,
        invoiceId,
        by: isLost ? 'dispute' : isRefunded && !isDispute ? 'refund' : null,
        at: isDispute ? hint.openedAt : hint.at,
      };
    } catch (error) {
      if (error instanceof MissingAtStripe) return null;
      throw error;
    }
  }

  /**
   * Ends the plan that the payment bought, and revokes the referrer's month.
   * @returns true if a plan was ended; the stored rows are outdated then
   */
  async settle(
    em: EntityManager,
    userId: string,
    { invoiceId, by, at }: ReturnedPayment,
    { terms }: Synced,
  ): Promise<boolean> {
    if (!invoiceId || !by) return false;
    await this.months.takeBack(em, userId, { invoiceId, at, reason: by });
    const paid = terms.find((term) => isLive(term) && term.latestInvoiceId === invoiceId);
    if (paid) await this.gateway.endNow(paid.stripeSubscriptionId);
    return paid !== undefined;
  }
}
