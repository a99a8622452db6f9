import type Stripe from 'stripe';
import { newId } from '../state.ts';
import type { Wire } from '../wire.ts';
import { type Metadata } from './catalogue.ts';

const NO_OPTIONS = {
  acss_debit: null,
  bancontact: null,
  card: null,
  customer_balance: null,
  konbini: null,
  payto: null,
  pix: null,
  sepa_debit: null,
  upi: null,
  us_bank_account: null,
};

export function subscription(
  at: number,
  of: { customer: Wire<Stripe.Customer>; metadata: Metadata; types: string[] | null; saves: boolean; tax: boolean },
): Wire<Stripe.Subscription> {
  const id = newId('sub');
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: of.tax, liability: of.tax ? { type: 'self' } : null },
    billing_cycle_anchor: at,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: at,
    currency: 'usd',
    customer: of.customer.id,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: { object: 'list', data: [], has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: of.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: NO_OPTIONS,
      payment_method_types: of.types,
      save_default_payment_method: of.saves ? 'on_subscription' : 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: at,
    status: 'incomplete',
    test_clock: of.customer.test_clock ?? null,
    transfer_data: null,
    trial_end: null,
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
    trial_start: null,
  };
}

export interface LineGiven {
  amount: number;
  price: Wire<Stripe.Price>;
  item: string;
  subscription: string;
  start: number;
  end: number;
  proration: boolean;
  description: string;
}

export function line(invoice: string, given: LineGiven): Wire<Stripe.InvoiceLineItem> {
  return {
    id: newId('il'),
    object: 'line_item',
    amount: given.amount,
    currency: 'usd',
    description: given.description,
    discount_amounts: [],
    discountable: !given.proration,
    discounts: [],
    invoice,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: null,
      type: 'subscription_item_details',
      subscription_item_details: {
        invoice_item: null,
        proration: given.proration,
        proration_details: given.proration ? { credited_items: null } : null,
        subscription: given.subscription,
        subscription_item: given.item,
      },
    },
    period: { start: given.start, end: given.end },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: given.price.id, product: given.price.product as string },
      type: 'price_details',
      unit_amount_decimal: given.price.unit_amount_decimal,
    },
    quantity: 1,
    quantity_decimal: '1',
    subscription: given.subscription,
    subtotal: given.amount,
    taxes: [],
  };
}

export function invoice(
  at: number,
  of: {
    customer: Wire<Stripe.Customer>;
    subscription: Wire<Stripe.Subscription>;
    reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
    start: number;
    end: number;
  },
): Wire<Stripe.Invoice> {
  const id = newId('in');
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Simulated account',
    account_tax_ids: null,
    amount_due: 0,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: 0,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: {
      disabled_reason: null,
      enabled: of.subscription.automatic_tax.enabled,
      liability: null,
      provider: null,
      status: of.subscription.automatic_tax.enabled ? 'complete' : null,
    },
    automatically_finalizes_at: null,
    billing_reason: of.reason,
    collection_method: 'charge_automatically',
    created: at,
    currency: 'usd',
    custom_fields: null,
    customer: of.customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: of.customer.email,
    customer_name: of.customer.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: { object: 'list', data: [], has_more: false, url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: of.subscription.metadata, subscription: of.subscription.id },
      type: 'subscription_details',
    },
    payment_settings: {
      default_mandate: null,
      payment_method_options: NO_OPTIONS,
      payment_method_types: of.subscription.payment_settings?.payment_method_types ?? null,
    },
    period_end: of.end,
    period_start: of.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: 0,
    subtotal_excluding_tax: 0,
    test_clock: of.customer.test_clock ?? null,
    total: 0,
    total_discount_amounts: [],
    total_excluding_tax: 0,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  };
}

export function invoicePayment(at: number, of: Wire<Stripe.Invoice>, intent: string): Wire<Stripe.InvoicePayment> {
  return {
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: of.amount_due,
    created: at,
    currency: 'usd',
    invoice: of.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  };
}
