import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { GoneAtStripe } from './billing.errors.js';
import { isLive } from './plan-terms.js';
import type { Synced } from './plan-sync.service.js';
import { ReferralMonths } from './referral-months.service.js';
import { StripeGateway, type StripeNotice } from './stripe-gateway.js';

/** A payment that went back, wholly, or was taken back by a lost dispute. */
export interface ReturnedPayment {
  customerId: string | null;
  invoiceId: string | null;
  /** Null: part of it, or a dispute that is open or won. */
  by: 'refund' | 'dispute' | null;
  at: Date;
}

/** Refunds and disputes: a full refund or a lost dispute ends what it paid for. */
@Injectable()
export class ReturnedPayments {
  constructor(private readonly gateway: StripeGateway, private readonly months: ReferralMonths) {}

  /** What an event about a charge comes to; Stripe is asked, not the event. */
  async read(notice: StripeNotice): Promise<ReturnedPayment | null> {
    try {
      const { customerId, invoiceId, isRefunded } = await this.gateway.paymentOf(notice.chargeId!);
      const isLost = notice.type === 'charge.dispute.closed' && notice.status === 'lost';
      const isDispute = notice.type.startsWith('charge.dispute.');
      return { customerId, invoiceId, by: isLost ? 'dispute' : isRefunded && !isDispute ? 'refund' : null, at: isDispute ? notice.openedAt : notice.at };
    } catch (error) {
      if (error instanceof GoneAtStripe) return null;
      throw error;
    }
  }

  /** @returns whether a plan was ended: the rows are then behind */
  async settle(em: EntityManager, userId: string, { invoiceId, by, at }: ReturnedPayment, { terms }: Synced): Promise<boolean> {
    if (!invoiceId || !by) return false;
    await this.months.takeBack(em, userId, { invoiceId, at, reason: by });
    const paid = terms.find((term) => isLive(term) && term.latestInvoiceId === invoiceId);
    if (paid) await this.gateway.endNow(paid.stripeSubscriptionId);
    return paid !== undefined;
  }
}
