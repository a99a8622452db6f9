import { createRequire } from 'node:module';
import { Injectable, Logger } from '@nestjs/common';
import type Stripe from 'stripe';
import { type BillingMode, Settings } from '../../shared/config/settings.js';
import { badSignature, billingOff, GoneAtStripe, stripeDown } from './billing.errors.js';
import type { PlanTerm } from './plan-terms.js';

/** A paid term at Stripe, before its price is matched with a plan. */
export interface RemoteTerm extends Omit<PlanTerm, 'planId'> {
  priceId: string | null;
  /** The boolean of an API cancellation; the portal sets only a moment. */
  byPeriodEnd: boolean;
  latestInvoiceId: string | null;
}

/** An event, as a hint of what to read again. */
export interface StripeNotice {
  id: string;
  type: string;
  livemode: boolean;
  at: Date;
  customerId: string | null;
  chargeId: string | null;
  /** A dispute's: lost, won … */
  status: string | null;
  /** A dispute's: when it was opened. */
  openedAt: Date;
}

export interface RemotePrice { id: string; productId: string; lookupKey: string | null; cents: number; interval: string }
export interface PaidInvoice { invoiceId: string; paidAt: Date; cardFingerprint: string | null }
export interface Payment { customerId: string | null; invoiceId: string | null; isRefunded: boolean }

const TIMEOUT_MS = 10_000;
const SECRET = ['latest_invoice.confirmation_secret'];
const date = (seconds: number): Date => new Date(seconds * 1000);
const dateOrNull = (seconds: number | null | undefined): Date | null => (seconds ? date(seconds) : null);
const idOf = (ref: string | { id: string } | null | undefined): string | null => (typeof ref === 'string' ? ref : (ref?.id ?? null));

const require = createRequire(import.meta.url);
/** Large, and a worker seldom needs it: loaded with the first call. */
const library = (): typeof Stripe => require('stripe') as typeof Stripe;

/** Stripe's API in this product's words; nothing else imports `stripe`. @throws stripeDown, GoneAtStripe */
@Injectable()
export class StripeGateway {
  private readonly log = new Logger(StripeGateway.name);
  readonly mode: BillingMode;
  private made: Stripe | undefined;
  private portalConfiguration: string | undefined;

  constructor(private readonly settings: Settings) {
    this.mode = settings.billingMode;
  }

  private get client(): Stripe {
    const { secretKey = '', apiUrl } = this.settings.stripe;
    const url = apiUrl ? new URL(apiUrl) : undefined;
    const address = url && { host: url.hostname, port: url.port || (url.protocol === 'https:' ? 443 : 80), protocol: url.protocol.slice(0, -1) as 'http' | 'https' };
    return (this.made ??= new (library())(secretKey, { timeout: TIMEOUT_MS, maxNetworkRetries: 1, telemetry: false, ...address }));
  }

  /** @throws billingOff */
  requireOn(): void {
    if (!this.settings.stripe.secretKey) throw billingOff();
  }

  /** @throws badSignature unless the bytes were signed with our secret, lately */
  readEvent(raw: Buffer, signature: string | undefined): StripeNotice {
    this.requireOn();
    try {
      return noticeOf(this.client.webhooks.constructEvent(raw, signature ?? '', this.settings.stripe.webhookSecret ?? ''));
    } catch (error) {
      // A wrong secret and a clock that runs wrong look alike to Stripe; only this tells them apart.
      this.log.warn({ reason: (error as Error).message.split('\n')[0] }, 'an event was refused');
      throw badSignature();
    }
  }

  /** Events that no endpoint of ours has taken; of the last three days. */
  async missedEvents(since: Date): Promise<StripeNotice[]> {
    const missed = await this.ask((stripe) => all(stripe.events.list({ delivery_success: false, created: { gte: Math.floor(Number(since) / 1000) }, limit: 100 })));
    return missed.map(noticeOf);
  }

  /** The prices of these ids, or of these lookup keys. */
  async prices({ ids = [], lookupKeys = [] }: { ids?: string[]; lookupKeys?: string[] }): Promise<RemotePrice[]> {
    const byId = await Promise.all(ids.map((id) => this.ask((stripe) => stripe.prices.retrieve(id))));
    const byKey = lookupKeys.length > 0 ? (await this.ask((stripe) => stripe.prices.list({ lookup_keys: lookupKeys, active: true, limit: 100 }))).data : [];
    return [...byId, ...byKey].map((price) => ({
      id: price.id, productId: idOf(price.product)!, lookupKey: price.lookup_key, cents: price.unit_amount ?? 0, interval: price.recurring?.interval ?? '',
    }));
  }

  async createCustomer(payer: { id: string; email: string; name: string }, idempotencyKey: string): Promise<string> {
    const { id: userId, email, name } = payer;
    return (await this.ask((stripe) => stripe.customers.create({ email, name, metadata: { userId } }, { idempotencyKey }))).id;
  }

  /** Ends every plan of the customer at once, and erases what Stripe shows of the person. Done twice it is done. */
  async deleteCustomer(id: string): Promise<void> {
    await this.ask((stripe) => stripe.customers.del(id)).catch((error: unknown) => {
      if (!(error instanceof GoneAtStripe)) throw error;
    });
  }

  async termsOf(customerId: string): Promise<RemoteTerm[]> {
    return (await this.ask((stripe) => all(stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100 })))).map(termOf);
  }

  /** A term whose first invoice waits for the browser; without a secret nothing was due. */
  async createTerm(order: { customerId: string; priceId: string; userId: string }, idempotencyKey: string): Promise<{ term: RemoteTerm; clientSecret: string | null }> {
    const created = await this.ask((stripe) => stripe.subscriptions.create({
      customer: order.customerId, items: [{ price: order.priceId }], payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription', payment_method_types: ['card'] },
      billing_mode: { type: 'flexible' }, metadata: { userId: order.userId }, expand: SECRET,
      ...(this.settings.stripeAutomaticTax && { automatic_tax: { enabled: true } }),
    }, { idempotencyKey }));
    return { term: termOf(created), clientSecret: secretOf(created.latest_invoice) };
  }

  /** The secret with which the browser pays what is open; null: nothing is. */
  async openSecretOf(stripeSubscriptionId: string): Promise<string | null> {
    const { data } = await this.ask((stripe) => stripe.invoices.list({ subscription: stripeSubscriptionId, status: 'open', limit: 1, expand: ['data.confirmation_secret'] }));
    return secretOf(data[0] ?? null);
  }

  async endNow(stripeSubscriptionId: string): Promise<void> {
    await this.ask((stripe) => stripe.subscriptions.cancel(stripeSubscriptionId, { prorate: false }));
  }

  async endWithPeriod(stripeSubscriptionId: string): Promise<void> {
    await this.ask((stripe) => stripe.subscriptions.update(stripeSubscriptionId, { cancel_at_period_end: true }));
  }

  /** Takes an end back by the one parameter that set it: both at once are refused. */
  async goOn({ stripeSubscriptionId, byPeriodEnd }: RemoteTerm): Promise<void> {
    await this.ask((stripe) => stripe.subscriptions.update(stripeSubscriptionId, byPeriodEnd ? { cancel_at_period_end: false } : { cancel_at: '' }));
  }

  async portalUrl(customerId: string, prices: RemotePrice[]): Promise<string> {
    this.portalConfiguration ??= await this.findPortalConfiguration(prices);
    const configuration = this.portalConfiguration;
    return (await this.ask((stripe) => stripe.billingPortal.sessions.create({ customer: customerId, configuration, return_url: `${this.settings.appUrl}/settings` }))).url;
  }

  forgetPortalConfiguration(): void {
    this.portalConfiguration = undefined;
  }

  /** The customer's first payment for a plan, where there is one. */
  async firstPayment(customerId: string): Promise<PaidInvoice | null> {
    const paid = await this.ask((stripe) => all(stripe.invoices.list({ customer: customerId, status: 'paid', limit: 100 })));
    const first = paid.filter((invoice) => invoice.billing_reason === 'subscription_create' && invoice.amount_paid > 0).sort((a, b) => a.created - b.created)[0];
    if (!first) return null;
    const { data } = await this.ask((stripe) => stripe.invoicePayments.list({ invoice: first.id, limit: 1, expand: ['data.payment.payment_intent.latest_charge'] }));
    const intent = data[0]?.payment.payment_intent;
    const charge = typeof intent === 'object' ? intent.latest_charge : null;
    const card = typeof charge === 'object' ? charge?.payment_method_details?.card : undefined;
    return { invoiceId: first.id, paidAt: date(first.status_transitions.paid_at ?? first.created), cardFingerprint: card?.fingerprint ?? null };
  }

  async cardsOf(customerId: string): Promise<string[]> {
    const { data } = await this.ask((stripe) => stripe.customers.listPaymentMethods(customerId, { type: 'card', limit: 100 }));
    return data.flatMap(({ card }) => card?.fingerprint ?? []);
  }

  /** What a charge paid, and whether all of it went back. */
  async paymentOf(chargeId: string): Promise<Payment> {
    const charge = await this.ask((stripe) => stripe.charges.retrieve(chargeId));
    const intent = idOf(charge.payment_intent);
    const joined = intent && (await this.ask((stripe) => stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: intent }, limit: 1 }))).data[0];
    return { customerId: idOf(charge.customer), invoiceId: joined ? idOf(joined.invoice) : null, isRefunded: charge.refunded };
  }

  /** Cents that the next invoices will be short of: Stripe's balance, turned round. */
  async creditOf(customerId: string): Promise<number> {
    const customer = await this.ask((stripe) => stripe.customers.retrieve(customerId));
    if (customer.deleted) throw new GoneAtStripe(customerId);
    return -customer.balance;
  }

  /** The entries that were made under our keys. */
  async balanceEntries(customerId: string): Promise<Map<string, string>> {
    const entries = await this.ask((stripe) => all(stripe.customers.listBalanceTransactions(customerId, { limit: 100 })));
    return new Map(entries.flatMap(({ id, metadata }) => (metadata?.key ? [[metadata.key, id]] : [])));
  }

  /** Money off the next invoice (below zero), or that taken back. */
  async addToBalance(customerId: string, cents: number, key: string, description: string): Promise<string> {
    const entry = { amount: cents, currency: 'usd', description, metadata: { key } };
    return (await this.ask((stripe) => stripe.customers.createBalanceTransaction(customerId, entry, { idempotencyKey: key }))).id;
  }

  /** Card, invoices, cancelling at the period's end, switching between the plans; made once per account. */
  private async findPortalConfiguration(prices: RemotePrice[]): Promise<string> {
    const offer = prices.map(({ id }) => id).sort().join(' ');
    const known = await this.ask((stripe) => all(stripe.billingPortal.configurations.list({ active: true, limit: 100 })));
    const fitting = known.find(({ metadata }) => metadata?.offer === offer);
    if (fitting) return fitting.id;
    const products = [...new Set(prices.map(({ productId }) => productId))].map((product) => ({ product, prices: prices.filter(({ productId }) => productId === product).map(({ id }) => id) }));
    const made = await this.ask((stripe) => stripe.billingPortal.configurations.create({
      metadata: { offer },
      features: {
        payment_method_update: { enabled: true }, invoice_history: { enabled: true }, subscription_cancel: { enabled: true, mode: 'at_period_end' },
        subscription_update: { enabled: true, default_allowed_updates: ['price'], proration_behavior: 'always_invoice', products },
      },
    }));
    return made.id;
  }

  private async ask<T>(call: (stripe: Stripe) => Promise<T>): Promise<T> {
    this.requireOn();
    try {
      return await call(this.client);
    } catch (error) {
      const { StripeConnectionError, StripeAPIError, StripeInvalidRequestError, StripeRateLimitError } = library().errors;
      if (error instanceof StripeInvalidRequestError && error.code === 'resource_missing') throw new GoneAtStripe(error.message);
      if ([StripeConnectionError, StripeAPIError, StripeRateLimitError].some((kind) => error instanceof kind)) throw Object.assign(stripeDown(), { cause: error });
      throw error;
    }
  }
}

/** Every page of a list. */
async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const row of list) found.push(row);
  return found;
}

const secretOf = (invoice: string | Stripe.Invoice | null): string | null => (typeof invoice === 'object' ? (invoice?.confirmation_secret?.client_secret ?? null) : null);

function termOf(sub: Stripe.Subscription): RemoteTerm {
  const [item] = sub.items.data;
  return {
    stripeSubscriptionId: sub.id, status: sub.status, priceId: item?.price.id ?? null, periodStart: dateOrNull(item?.current_period_start), periodEnd: dateOrNull(item?.current_period_end),
    isEnding: sub.cancel_at_period_end || sub.cancel_at !== null, byPeriodEnd: sub.cancel_at_period_end, canceledAt: dateOrNull(sub.canceled_at), endedAt: dateOrNull(sub.ended_at),
    startedAt: date(sub.created), latestInvoiceId: idOf(sub.latest_invoice),
  };
}

/** What an event is about; its payload has the endpoint's version, so nothing more is taken from it. */
function noticeOf(event: Stripe.Event): StripeNotice {
  const object = event.data.object as { id?: string; object?: string; customer?: string | { id: string } | null; charge?: string | { id: string } | null; status?: string; created?: number };
  return {
    id: event.id, type: event.type, livemode: event.livemode, at: date(event.created),
    customerId: object.object === 'customer' ? (object.id ?? null) : idOf(object.customer),
    chargeId: object.object === 'charge' ? (object.id ?? null) : object.object === 'dispute' ? idOf(object.charge) : null,
    status: object.status ?? null, openedAt: date(object.created ?? event.created),
  };
}
