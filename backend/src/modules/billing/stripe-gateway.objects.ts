import type Stripe from 'stripe';
import type { PlanTerm } from './plans/plan-terms.js';

/** A paid term at Stripe, before its price is mapped to a plan. */
export interface RemoteTerm extends Omit<PlanTerm, 'planId'> {
  priceId: string | null;
  /** Whether the term ends because of `cancel_at_period_end`; Stripe's portal sets `cancel_at` instead. */
  byPeriodEnd: boolean;
  latestInvoiceId: string | null;
}

/** A Stripe event. It only tells what to read from Stripe again. */
export interface StripeEventHint {
  id: string;
  type: string;
  livemode: boolean;
  at: Date;
  customerId: string | null;
  chargeId: string | null;
  /** Status of a dispute: lost, won … */
  status: string | null;
  /** When the dispute was opened. */
  openedAt: Date;
}

export interface RemotePrice {
  id: string;
  productId: string;
  lookupKey: string | null;
  cents: number;
  interval: string;
}

export interface PaidInvoice {
  invoiceId: string;
  paidAt: Date;
  cardFingerprint: string | null;
}

export interface Payment {
  customerId: string | null;
  invoiceId: string | null;
  isRefunded: boolean;
}

/** Converts a Unix time in seconds, as Stripe sends it. */
export const date = (seconds: number): Date => new Date(seconds * 1000);
const dateOrNull = (seconds: number | null | undefined): Date | null => (seconds ? date(seconds) : null);
/** Id of a reference, which Stripe sends as an id or as the whole object. @returns null if there is no reference */
export const idOf = (ref: string | { id: string } | null | undefined): string | null =>
  typeof ref === 'string' ? ref : (ref?.id ?? null);

/** Secret with which the browser pays an invoice. @returns null if nothing is to be paid */
export const secretOf = (invoice: string | Stripe.Invoice | null): string | null =>
  typeof invoice === 'object' ? (invoice?.confirmation_secret?.client_secret ?? null) : null;

/** Converts a Stripe subscription to a term. */
export function termOf(sub: Stripe.Subscription): RemoteTerm {
  const [item] = sub.items.data;
  return {
    stripeSubscriptionId: sub.id,
    status: sub.status,
    priceId: item?.price.id ?? null,
    periodStart: dateOrNull(item?.current_period_start),
    periodEnd: dateOrNull(item?.current_period_end),
    isEnding: sub.cancel_at_period_end || sub.cancel_at !== null,
    byPeriodEnd: sub.cancel_at_period_end,
    canceledAt: dateOrNull(sub.canceled_at),
    endedAt: dateOrNull(sub.ended_at),
    startedAt: date(sub.created),
    latestInvoiceId: idOf(sub.latest_invoice),
  };
}

/** Reads the ids from an event. Its other fields depend on the API version of the webhook endpoint. */
export function hintOf(event: Stripe.Event): StripeEventHint {
  const object = event.data.object as {
    id?: string;
    object?: string;
    customer?: string | { id: string } | null;
    charge?: string | { id: string } | null;
    status?: string;
    created?: number;
  };
  return {
    id: event.id,
    type: event.type,
    livemode: event.livemode,
    at: date(event.created),
    customerId: object.object === 'customer' ? (object.id ?? null) : idOf(object.customer),
    chargeId:
      object.object === 'charge' ? (object.id ?? null) : object.object === 'dispute' ? idOf(object.charge) : null,
    status: object.status ?? null,
    openedAt: date(object.created ?? event.created),
  };
}

/** Converts a Stripe price. */
export const priceOf = (price: Stripe.Price): RemotePrice => ({
  id: price.id,
  productId: idOf(price.product)!,
  lookupKey: price.lookup_key,
  cents: price.unit_amount ?? 0,
  interval: price.recurring?.interval ?? '',
});

/**
 * What customers may do in Stripe's portal: card, invoices, cancellation at period end, a switch between these prices.
 */
export function portalFeatures(prices: RemotePrice[]): Stripe.BillingPortal.ConfigurationCreateParams.Features {
  const products = [...new Set(prices.map(({ productId }) => productId))].map((product) => ({
    product,
    prices: prices.filter(({ productId }) => productId === product).map(({ id }) => id),
  }));
  return {
    payment_method_update: { enabled: true },
    invoice_history: { enabled: true },
    subscription_cancel: { enabled: true, mode: 'at_period_end' },
    subscription_update: {
      enabled: true,
      default_allowed_updates: ['price'],
      proration_behavior: 'always_invoice',
      products,
    },
  };
}

/** Reads all pages of a Stripe list. */
export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const row of list) found.push(row);
  return found;
}
