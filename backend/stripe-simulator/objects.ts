import type Stripe from 'stripe';
import { newId } from './state.ts';
import type { Wire } from './wire.ts';
import { type Metadata } from './objects/catalogue.ts';

export function customer(
  at: number,
  given: { email?: string | undefined; name?: string | undefined; metadata: Metadata; test_clock?: string | undefined },
): Wire<Stripe.Customer> {
  return {
    id: newId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created: at,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    email: given.email ?? null,
    invoice_prefix: newId('x').slice(2, 10).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: given.metadata,
    name: given.name ?? null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: given.test_clock ?? null,
  };
}

export function balanceTransaction(
  at: number,
  of: Wire<Stripe.Customer>,
  given: {
    amount: number;
    type: 'adjustment' | 'applied_to_invoice';
    invoice?: string;
    description?: string | undefined;
    metadata?: Metadata;
  },
): Wire<Stripe.CustomerBalanceTransaction> {
  return {
    id: newId('cbtxn'),
    object: 'customer_balance_transaction',
    amount: given.amount,
    checkout_session: null,
    created: at,
    credit_note: null,
    currency: 'usd',
    customer: of.id,
    customer_account: null,
    description: given.description ?? null,
    ending_balance: of.balance,
    invoice: given.invoice ?? null,
    livemode: false,
    metadata: given.metadata ?? {},
    type: given.type,
  };
}

export function testClock(at: number, frozen: number, name: string | null): Wire<Stripe.TestHelpers.TestClock> {
  return {
    id: newId('clock'),
    object: 'test_helpers.test_clock',
    created: at,
    deletes_after: at + 30 * 86_400,
    frozen_time: frozen,
    livemode: false,
    name,
    status: 'ready',
    status_details: {},
  };
}

export function portalConfiguration(
  at: number,
  prices: Wire<Stripe.Price>[],
  metadata: Metadata,
): Wire<Stripe.BillingPortal.Configuration> {
  return {
    id: newId('bpc'),
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    created: at,
    default_return_url: null,
    features: {
      customer_update: { allowed_updates: [], enabled: false },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true, payment_method_configuration: null },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: null, options: [] },
        enabled: true,
        mode: 'at_period_end',
        proration_behavior: 'none',
      },
      subscription_pause: {
        duration: { interval_options: [{ interval: 'month', interval_count: 1 }], type: 'interval_options' },
        enabled: false,
      },
      subscription_update: {
        billing_cycle_anchor: null,
        default_allowed_updates: ['price'],
        enabled: true,
        proration_behavior: 'always_invoice',
        schedule_at_period_end: { conditions: [] },
        trial_update_behavior: 'end_trial',
        products:
          prices.length > 0
            ? [
                {
                  adjustable_quantity: { enabled: false, maximum: null, minimum: 0 },
                  prices: prices.map(({ id }) => id),
                  product: prices[0]?.product as string,
                },
              ]
            : [],
      },
    },
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata,
    name: null,
    updated: at,
  };
}

export function portalSession(
  at: number,
  of: { customer: string; configuration: string; returnUrl: string | null; base: string },
): Wire<Stripe.BillingPortal.Session> {
  const id = newId('bps');
  return {
    id,
    object: 'billing_portal.session',
    configuration: of.configuration,
    created: at,
    customer: of.customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: of.returnUrl,
    url: `${of.base}/portal/${id}`,
  };
}
