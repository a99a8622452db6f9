import { createRequire } from 'node:module';
import { Injectable, Logger } from '@nestjs/common';
import type Stripe from 'stripe';
import { type BillingMode, Settings } from '../../shared/config/settings.js';
import { badSignature, billingOff, MissingAtStripe, stripeDown } from './billing.errors.js';
import {
  all,
  date,
  idOf,
  hintOf,
  type PaidInvoice,
  type Payment,
  portalFeatures,
  priceOf,
  type RemotePrice,
  type RemoteTerm,
  secretOf,
  type StripeEventHint,
  termOf,
} from './stripe-gateway.objects.js';

const STRIPE_TIMEOUT_MS = 10_000;
const SECRET = ['latest_invoice.confirmation_secret'];
const require = createRequire(import.meta.url);
/** Loads the library on first use, because it is large and workers seldom need it. */
const library = (): typeof Stripe => require('stripe') as typeof Stripe;

/** Wraps Stripe's API; no other file calls the `stripe` library. Calls throw stripeDown or MissingAtStripe. */
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
    const address = url && {
      host: url.hostname,
      port: url.port || (url.protocol === 'https:' ? 443 : 80),
      protocol: url.protocol.slice(0, -1) as 'http' | 'https',
    };
    return (this.made ??= new (library())(secretKey, {
      timeout: STRIPE_TIMEOUT_MS,
      maxNetworkRetries: 1,
      telemetry: false,
      ...address,
    }));
  }

  /** Requires that billing is configured. @throws billingOff */
  requireOn(): void {
    if (!this.settings.stripe.secretKey) throw billingOff();
  }

  /** Verifies and parses a webhook body. @throws badSignature unless the body was recently signed with our secret */
  readEvent(raw: Buffer, signature: string | undefined): StripeEventHint {
    this.requireOn();
    try {
      return hintOf(
        this.client.webhooks.constructEvent(raw, signature ?? '', this.settings.stripe.webhookSecret ?? ''),
      );
    } catch (error) {
      // The API error does not tell whether the secret or the clock is wrong; Stripe's message in the log does.
      this.log.warn({ reason: (error as Error).message.split('\n')[0] }, 'refused an event with a bad signature');
      throw badSignature();
    }
  }

  /** Events since a time that Stripe has not delivered to every webhook endpoint. */
  async missedEvents(since: Date): Promise<StripeEventHint[]> {
    const missed = await this.ask((stripe) =>
      all(
        stripe.events.list({ delivery_success: false, created: { gte: Math.floor(Number(since) / 1000) }, limit: 100 }),
      ),
    );
    return missed.map(hintOf);
  }

  /** Reads prices by their ids and by their lookup keys. */
  async prices({ ids = [], lookupKeys = [] }: { ids?: string[]; lookupKeys?: string[] }): Promise<RemotePrice[]> {
    const byId = await Promise.all(ids.map((id) => this.ask((stripe) => stripe.prices.retrieve(id))));
    const byKey =
      lookupKeys.length > 0
        ? (await this.ask((stripe) => stripe.prices.list({ lookup_keys: lookupKeys, active: true, limit: 100 }))).data
        : [];
    return [...byId, ...byKey].map(priceOf);
  }

  async createCustomer(payer: { id: string; email: string; name: string }, idempotencyKey: string): Promise<string> {
    const { id: userId, email, name } = payer;
    return (
      await this.ask((stripe) => stripe.customers.create({ email, name, metadata: { userId } }, { idempotencyKey }))
    ).id;
  }

  /** Ends all plans of a customer at once and erases personal data at Stripe. Idempotent. */
  async deleteCustomer(id: string): Promise<void> {
    await this.ask((stripe) => stripe.customers.del(id)).catch((error: unknown) => {
      if (!(error instanceof MissingAtStripe)) throw error;
    });
  }

  async termsOf(customerId: string): Promise<RemoteTerm[]> {
    return (
      await this.ask((stripe) => all(stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100 })))
    ).map(termOf);
  }

  /** Creates a term whose first invoice the browser pays; no client secret means that nothing was due. */
  async createTerm(
    order: { customerId: string; priceId: string; userId: string },
    idempotencyKey: string,
  ): Promise<{ term: RemoteTerm; clientSecret: string | null }> {
    const created = await this.ask((stripe) =>
      stripe.subscriptions.create(
        {
          customer: order.customerId,
          items: [{ price: order.priceId }],
          payment_behavior: 'default_incomplete',
          payment_settings: { save_default_payment_method: 'on_subscription', payment_method_types: ['card'] },
          billing_mode: { type: 'flexible' },
          metadata: { userId: order.userId },
          expand: SECRET,
          ...(this.settings.stripeAutomaticTax && { automatic_tax: { enabled: true } }),
        },
        { idempotencyKey },
      ),
    );
    return { term: termOf(created), clientSecret: secretOf(created.latest_invoice) };
  }

  /** Client secret for the open payment. @returns null if no payment is open */
  async openSecretOf(stripeSubscriptionId: string): Promise<string | null> {
    const { data } = await this.ask((stripe) =>
      stripe.invoices.list({
        subscription: stripeSubscriptionId,
        status: 'open',
        limit: 1,
        expand: ['data.confirmation_secret'],
      }),
    );
    return secretOf(data[0] ?? null);
  }

  async endNow(stripeSubscriptionId: string): Promise<void> {
    await this.ask((stripe) => stripe.subscriptions.cancel(stripeSubscriptionId, { prorate: false }));
  }

  async endWithPeriod(stripeSubscriptionId: string): Promise<void> {
    await this.ask((stripe) => stripe.subscriptions.update(stripeSubscriptionId, { cancel_at_period_end: true }));
  }

  /** Undoes a cancellation. Changes only the parameter that caused it: Stripe refuses a call with both parameters. */
  async resume({ stripeSubscriptionId, byPeriodEnd }: RemoteTerm): Promise<void> {
    await this.ask((stripe) =>
      stripe.subscriptions.update(
        stripeSubscriptionId,
        byPeriodEnd ? { cancel_at_period_end: false } : { cancel_at: '' },
      ),
    );
  }

  async portalUrl(customerId: string, prices: RemotePrice[]): Promise<string> {
    this.portalConfiguration ??= await this.findPortalConfiguration(prices);
    const configuration = this.portalConfiguration;
    return (
      await this.ask((stripe) =>
        stripe.billingPortal.sessions.create({
          customer: customerId,
          configuration,
          return_url: `${this.settings.appUrl}/settings`,
        }),
      )
    ).url;
  }

  forgetPortalConfiguration(): void {
    this.portalConfiguration = undefined;
  }

  /** The customer's first payment for a plan. @returns null if there was none */
  async firstPayment(customerId: string): Promise<PaidInvoice | null> {
    const paid = await this.ask((stripe) =>
      all(stripe.invoices.list({ customer: customerId, status: 'paid', limit: 100 })),
    );
    const first = paid
      .filter((invoice) => invoice.billing_reason === 'subscription_create' && invoice.amount_paid > 0)
      .sort((a, b) => a.created - b.created)[0];
    if (!first) return null;
    const { data } = await this.ask((stripe) =>
      stripe.invoicePayments.list({
        invoice: first.id,
        limit: 1,
        expand: ['data.payment.payment_intent.latest_charge'],
      }),
    );
    const intent = data[0]?.payment.payment_intent;
    const charge = typeof intent === 'object' ? intent.latest_charge : null;
    const card = typeof charge === 'object' ? charge?.payment_method_details?.card : undefined;
    return {
      invoiceId: first.id,
      paidAt: date(first.status_transitions.paid_at ?? first.created),
      cardFingerprint: card?.fingerprint ?? null,
    };
  }

  async cardsOf(customerId: string): Promise<string[]> {
    const { data } = await this.ask((stripe) =>
      stripe.customers.listPaymentMethods(customerId, { type: 'card', limit: 100 }),
    );
    return data.flatMap(({ card }) => card?.fingerprint ?? []);
  }

  /** Reads which invoice a charge paid, and whether the charge was refunded in full. */
  async paymentOf(chargeId: string): Promise<Payment> {
    const charge = await this.ask((stripe) => stripe.charges.retrieve(chargeId));
    const intent = idOf(charge.payment_intent);
    const joined =
      intent &&
      (
        await this.ask((stripe) =>
          stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: intent }, limit: 1 }),
        )
      ).data[0];
    return {
      customerId: idOf(charge.customer),
      invoiceId: joined ? idOf(joined.invoice) : null,
      isRefunded: charge.refunded,
    };
  }

  /** Credit towards the next invoices, in cents: Stripe's balance with the sign reversed. */
  async creditOf(customerId: string): Promise<number> {
    const customer = await this.ask((stripe) => stripe.customers.retrieve(customerId));
    if (customer.deleted) throw new MissingAtStripe(customerId);
    return -customer.balance;
  }

  /** Balance entries that this app created: idempotency key → id. */
  async balanceEntries(customerId: string): Promise<Map<string, string>> {
    const entries = await this.ask((stripe) =>
      all(stripe.customers.listBalanceTransactions(customerId, { limit: 100 })),
    );
    return new Map(entries.flatMap(({ id, metadata }) => (metadata?.key ? [[metadata.key, id]] : [])));
  }

  /** Adds to the balance: negative cents reduce the next invoice, positive ones reverse that. */
  async addToBalance(customerId: string, cents: number, key: string, description: string): Promise<string> {
    const entry = { amount: cents, currency: 'usd', description, metadata: { key } };
    return (
      await this.ask((stripe) => stripe.customers.createBalanceTransaction(customerId, entry, { idempotencyKey: key }))
    ).id;
  }

  /**
   * Portal configuration (card, invoices, cancellation at period end, plan switch), created once per Stripe account.
   */
  private async findPortalConfiguration(prices: RemotePrice[]): Promise<string> {
    const offer = prices
      .map(({ id }) => id)
      .sort()
      .join(' ');
    const known = await this.ask((stripe) =>
      all(stripe.billingPortal.configurations.list({ active: true, limit: 100 })),
    );
    const fitting = known.find(({ metadata }) => metadata?.offer === offer);
    if (fitting) return fitting.id;
    const made = await this.ask((stripe) =>
      stripe.billingPortal.configurations.create({
        metadata: { offer },
        features: portalFeatures(prices),
      }),
    );
    return made.id;
  }

  private async ask<T>(call: (stripe: Stripe) => Promise<T>): Promise<T> {
    this.requireOn();
    try {
      return await call(this.client);
    } catch (error) {
      const { StripeConnectionError, StripeAPIError, StripeInvalidRequestError, StripeRateLimitError } =
        library().errors;
      if (error instanceof StripeInvalidRequestError && error.code === 'resource_missing')
        throw new MissingAtStripe(error.message);
      if ([StripeConnectionError, StripeAPIError, StripeRateLimitError].some((kind) => error instanceof kind))
        throw Object.assign(stripeDown(), { cause: error });
      throw error;
    }
  }
}
