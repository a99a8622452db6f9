import type Stripe from 'stripe';
import type { TestCard } from './cards.ts';
import { newId } from './state.ts';
import type { Wire } from './wire.ts';

type Metadata = Record<string, string>;

export function customer(at: number, given: { email?: string | undefined; name?: string | undefined; metadata: Metadata; test_clock?: string | undefined }): Wire<Stripe.Customer> {
  return {
    id: newId('cus'), object: 'customer', address: null, balance: 0, created: at, currency: null, customer_account: null, default_source: null, delinquent: false,
    description: null, email: given.email ?? null, invoice_prefix: newId('x').slice(2, 10).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false, metadata: given.metadata, name: given.name ?? null, next_invoice_sequence: 1, phone: null, preferred_locales: [], shipping: null,
    tax_exempt: 'none', test_clock: given.test_clock ?? null,
  };
}

export function product(at: number, name: string, id = newId('prod'), metadata: Metadata = {}): Wire<Stripe.Product> {
  return {
    id, object: 'product', active: true, created: at, default_price: null, description: null, images: [], livemode: false, marketing_features: [], metadata, name,
    package_dimensions: null, shippable: null, statement_descriptor: null, tax_code: null, tax_details: null, type: 'service', unit_label: null, updated: at, url: null,
  };
}

export interface PriceGiven { id?: string; product: string; unit_amount: number; interval: 'month' | 'year'; lookup_key?: string | undefined; metadata?: Metadata }

export function price(at: number, given: PriceGiven): Wire<Stripe.Price> {
  return {
    id: given.id ?? newId('price'), object: 'price', active: true, billing_scheme: 'per_unit', created: at, currency: 'usd', custom_unit_amount: null, livemode: false,
    lookup_key: given.lookup_key ?? null, metadata: given.metadata ?? {}, nickname: null, product: given.product,
    recurring: { interval: given.interval, interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' },
    tax_behavior: 'unspecified', tiers_mode: null, transform_quantity: null, type: 'recurring', unit_amount: given.unit_amount, unit_amount_decimal: String(given.unit_amount),
  };
}

export const intervalOf = (of: Wire<Stripe.Price>): string => of.recurring?.interval ?? 'month';

function planOf(of: Wire<Stripe.Price>): Wire<Stripe.Plan> {
  return {
    id: of.id, object: 'plan', active: of.active, amount: of.unit_amount, amount_decimal: of.unit_amount_decimal, billing_scheme: 'per_unit', created: of.created,
    currency: of.currency, interval: intervalOf(of), interval_count: 1, livemode: false, metadata: of.metadata, meter: null, nickname: null, product: of.product,
    tiers_mode: null, transform_usage: null, trial_period_days: null, usage_type: 'licensed',
  };
}

export function item(at: number, subscription: string, of: Wire<Stripe.Price>, start: number, end: number): Wire<Stripe.SubscriptionItem> {
  return {
    id: newId('si'), object: 'subscription_item', billing_thresholds: null, created: at, current_period_end: end, current_period_start: start, current_trial: null,
    discounts: [], metadata: {}, plan: planOf(of), price: of, quantity: 1, subscription, tax_rates: [],
  };
}

export function repriced(of: Wire<Stripe.SubscriptionItem>, to: Wire<Stripe.Price>, start: number, end: number): Wire<Stripe.SubscriptionItem> {
  return { ...of, plan: planOf(to), price: to, current_period_start: start, current_period_end: end };
}

const NO_OPTIONS = { acss_debit: null, bancontact: null, card: null, customer_balance: null, konbini: null, payto: null, pix: null, sepa_debit: null, upi: null, us_bank_account: null };

export function subscription(at: number, of: { customer: Wire<Stripe.Customer>; metadata: Metadata; types: string[] | null; saves: boolean; tax: boolean }): Wire<Stripe.Subscription> {
  const id = newId('sub');
  return {
    id, object: 'subscription', application: null, application_fee_percent: null, automatic_tax: { disabled_reason: null, enabled: of.tax, liability: of.tax ? { type: 'self' } : null },
    billing_cycle_anchor: at, billing_cycle_anchor_config: null, billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' }, billing_schedules: [],
    billing_thresholds: null, cancel_at: null, cancel_at_period_end: false, canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null }, collection_method: 'charge_automatically', created: at, currency: 'usd',
    customer: of.customer.id, customer_account: null, days_until_due: null, default_payment_method: null, default_source: null, default_tax_rates: [], description: null,
    discounts: [], ended_at: null, invoice_settings: { account_tax_ids: null, custom_fields: null, description: null, footer: null, issuer: { type: 'self' } },
    items: { object: 'list', data: [], has_more: false, url: `/v1/subscription_items?subscription=${id}` }, latest_invoice: null, livemode: false, managed_payments: null,
    metadata: of.metadata, next_pending_invoice_item_invoice: null, on_behalf_of: null, pause_collection: null,
    payment_settings: { payment_method_options: NO_OPTIONS, payment_method_types: of.types, save_default_payment_method: of.saves ? 'on_subscription' : 'off' },
    pending_invoice_item_interval: null, pending_setup_intent: null, pending_update: null, schedule: null, start_date: at, status: 'incomplete',
    test_clock: of.customer.test_clock ?? null, transfer_data: null, trial_end: null, trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } }, trial_start: null,
  };
}

export interface LineGiven { amount: number; price: Wire<Stripe.Price>; item: string; subscription: string; start: number; end: number; proration: boolean; description: string }

export function line(invoice: string, given: LineGiven): Wire<Stripe.InvoiceLineItem> {
  return {
    id: newId('il'), object: 'line_item', amount: given.amount, currency: 'usd', description: given.description, discount_amounts: [], discountable: !given.proration, discounts: [],
    invoice, livemode: false, metadata: {},
    parent: {
      invoice_item_details: null, type: 'subscription_item_details',
      subscription_item_details: { invoice_item: null, proration: given.proration, proration_details: given.proration ? { credited_items: null } : null, subscription: given.subscription, subscription_item: given.item },
    },
    period: { start: given.start, end: given.end }, pretax_credit_amounts: [],
    pricing: { price_details: { price: given.price.id, product: given.price.product as string }, type: 'price_details', unit_amount_decimal: given.price.unit_amount_decimal },
    quantity: 1, quantity_decimal: '1', subscription: given.subscription, subtotal: given.amount, taxes: [],
  };
}

export function invoice(at: number, of: { customer: Wire<Stripe.Customer>; subscription: Wire<Stripe.Subscription>; reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update'; start: number; end: number }): Wire<Stripe.Invoice> {
  const id = newId('in');
  return {
    id, object: 'invoice', account_country: 'US', account_name: 'Simulated account', account_tax_ids: null, amount_due: 0, amount_overpaid: 0, amount_paid: 0, amount_remaining: 0,
    amount_shipping: 0, application: null, attempt_count: 0, attempted: false, auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: of.subscription.automatic_tax.enabled, liability: null, provider: null, status: of.subscription.automatic_tax.enabled ? 'complete' : null },
    automatically_finalizes_at: null, billing_reason: of.reason, collection_method: 'charge_automatically', created: at, currency: 'usd', custom_fields: null, customer: of.customer.id,
    customer_account: null, customer_address: null, customer_email: of.customer.email, customer_name: of.customer.name ?? null, customer_phone: null, customer_shipping: null,
    customer_tax_exempt: 'none', customer_tax_ids: [], default_payment_method: null, default_source: null, default_tax_rates: [], description: null, discounts: [], due_date: null,
    effective_at: null, ending_balance: null, footer: null, from_invoice: null, hosted_invoice_url: null, invoice_pdf: null, issuer: { type: 'self' }, last_finalization_error: null,
    latest_revision: null, lines: { object: 'list', data: [], has_more: false, url: `/v1/invoices/${id}/lines` }, livemode: false, metadata: {}, next_payment_attempt: null, number: null,
    on_behalf_of: null, parent: { quote_details: null, subscription_details: { metadata: of.subscription.metadata, subscription: of.subscription.id }, type: 'subscription_details' },
    payment_settings: { default_mandate: null, payment_method_options: NO_OPTIONS, payment_method_types: of.subscription.payment_settings?.payment_method_types ?? null },
    period_end: of.end, period_start: of.start, post_payment_credit_notes_amount: 0, pre_payment_credit_notes_amount: 0, receipt_number: null, rendering: null, shipping_cost: null,
    shipping_details: null, starting_balance: 0, statement_descriptor: null, status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null }, subtotal: 0, subtotal_excluding_tax: 0,
    test_clock: of.customer.test_clock ?? null, total: 0, total_discount_amounts: [], total_excluding_tax: 0, total_pretax_credit_amounts: [], total_taxes: [], webhooks_delivered_at: null,
  };
}

export function invoicePayment(at: number, of: Wire<Stripe.Invoice>, intent: string): Wire<Stripe.InvoicePayment> {
  return {
    id: newId('inpay'), object: 'invoice_payment', amount_paid: null, amount_requested: of.amount_due, created: at, currency: 'usd', invoice: of.id, is_default: true, livemode: false,
    payment: { payment_intent: intent, type: 'payment_intent' }, status: 'open', status_transitions: { canceled_at: null, paid_at: null },
  };
}

export function paymentIntent(at: number, of: Wire<Stripe.Invoice>): Wire<Stripe.PaymentIntent> {
  const id = newId('pi');
  return {
    id, object: 'payment_intent', allowed_payment_method_types: null, amount: of.amount_due, amount_capturable: 0, amount_details: { tip: {} }, amount_received: 0, application: null, application_fee_amount: null,
    automatic_payment_methods: null, canceled_at: null, cancellation_reason: null, capture_method: 'automatic', client_secret: `${id}_${newId('secret')}`,
    confirmation_method: 'automatic', created: at, currency: 'usd', customer: of.customer, customer_account: null, description: 'Subscription creation', excluded_payment_method_types: null,
    last_payment_error: null, latest_charge: null, livemode: false, managed_payments: null, metadata: {}, next_action: null, on_behalf_of: null, payment_method: null,
    payment_method_configuration_details: null, payment_method_options: {}, payment_method_types: ['card'], payment_record: null, processing: null, receipt_email: null, review: null,
    setup_future_usage: 'off_session', shipping: null, source: null, statement_descriptor: null, statement_descriptor_suffix: null, status: 'requires_payment_method',
    transfer_data: null, transfer_group: null,
  };
}

const BILLED_TO = { address: null, email: null, name: null, phone: null, tax_id: null };
const CHECKS = { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' };

export function paymentMethod(at: number, card: TestCard): Wire<Stripe.PaymentMethod> {
  return {
    id: newId('pm'), object: 'payment_method', allow_redisplay: 'unspecified', billing_details: BILLED_TO,
    card: {
      brand: card.brand, checks: CHECKS, country: 'US', display_brand: card.brand, exp_month: 12, exp_year: new Date(at * 1000).getUTCFullYear() + 3,
      fingerprint: fingerprintOf(card), funding: 'credit', generated_from: null, last4: card.last4, networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated', three_d_secure_usage: { supported: true }, wallet: null,
    },
    created: at, customer: null, customer_account: null, livemode: false, metadata: {}, type: 'card',
  };
}

/** The same number has the same fingerprint within an account. */
export const fingerprintOf = (card: TestCard): string => `sim${card.brand}${card.last4}`;

export function charge(at: number, of: Wire<Stripe.PaymentIntent>, method: string, card: TestCard, failure: { code: string; decline_code: string; message: string } | undefined): Wire<Stripe.Charge> {
  return {
    id: newId('ch'), object: 'charge', amount: of.amount, amount_captured: failure ? 0 : of.amount, amount_refunded: 0, application: null, application_fee: null,
    application_fee_amount: null, balance_transaction: null, billing_details: BILLED_TO, calculated_statement_descriptor: 'SIMULATED', captured: !failure, created: at, currency: 'usd',
    customer: of.customer, description: of.description, disputed: false, failure_balance_transaction: null, failure_code: failure?.code ?? null, failure_message: failure?.message ?? null,
    fraud_details: {}, livemode: false, metadata: {}, on_behalf_of: null,
    outcome: {
      advice_code: null, network_advice_code: null, network_decline_code: failure ? '01' : null, network_status: failure ? 'declined_by_network' : 'approved_by_network',
      reason: failure?.decline_code ?? null, risk_level: 'normal', seller_message: failure ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
      type: failure ? 'issuer_declined' : 'authorized',
    },
    paid: !failure, payment_intent: of.id, payment_method: method,
    payment_method_details: {
      card: {
        amount_authorized: failure ? null : of.amount, authorization_code: null, brand: card.brand, checks: CHECKS, country: 'US', electronic_commerce_indicator: null, exp_month: 12,
        exp_year: new Date(at * 1000).getUTCFullYear() + 3, fingerprint: fingerprintOf(card), funding: 'credit', installments: null, last4: card.last4, mandate: null,
        network: card.brand, network_transaction_id: null, regulated_status: 'unregulated', three_d_secure: null, transaction_link_id: null, wallet: null,
      },
      type: 'card',
    },
    receipt_email: null, receipt_number: null, receipt_url: null, refunded: false, review: null, shipping: null, source: null, source_transfer: null, statement_descriptor: null,
    statement_descriptor_suffix: null, status: failure ? 'failed' : 'succeeded', transfer_data: null, transfer_group: null,
  };
}

export function refund(at: number, of: Wire<Stripe.Charge>, amount: number, metadata: Metadata): Wire<Stripe.Refund> {
  return {
    id: newId('re'), object: 'refund', amount, balance_transaction: null, charge: of.id, created: at, currency: 'usd', customer: of.customer as string | null, customer_account: null,
    destination_details: { card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' }, type: 'card' }, metadata,
    payment_intent: of.payment_intent, payment_method: of.payment_method, reason: null, receipt_number: null, source_transfer_reversal: null, status: 'succeeded', transfer_reversal: null,
  };
}

export function dispute(at: number, of: Wire<Stripe.Charge>): Wire<Stripe.Dispute> {
  return {
    id: newId('du'), object: 'dispute', amount: of.amount, balance_transactions: [], charge: of.id, created: at, currency: 'usd', enhanced_eligibility_types: [],
    evidence: {
      access_activity_log: null, billing_address: null, cancellation_policy: null, cancellation_policy_disclosure: null, cancellation_rebuttal: null, customer_communication: null,
      customer_email_address: null, customer_name: null, customer_purchase_ip: null, customer_signature: null, duplicate_charge_documentation: null, duplicate_charge_explanation: null,
      duplicate_charge_id: null, enhanced_evidence: {}, product_description: null, receipt: null, refund_policy: null, refund_policy_disclosure: null, refund_refusal_explanation: null,
      service_date: null, service_documentation: null, shipping_address: null, shipping_carrier: null, shipping_date: null, shipping_documentation: null, shipping_tracking_number: null,
      uncategorized_file: null, uncategorized_text: null,
    },
    evidence_details: { due_by: at + 7 * 86_400, enhanced_eligibility: {}, has_evidence: false, past_due: false, submission_count: 0, submission_method: 'manual' },
    intended_submission_method: 'manual', is_charge_refundable: false, livemode: false, metadata: {}, network_reason_code: '10.4', payment_intent: of.payment_intent,
    payment_method_details: { card: { brand: 'visa', case_type: 'chargeback', network: 'visa', network_reason_code: '10.4' }, type: 'card' }, reason: 'fraudulent', status: 'needs_response',
  };
}

export function balanceTransaction(at: number, of: Wire<Stripe.Customer>, given: { amount: number; type: 'adjustment' | 'applied_to_invoice'; invoice?: string; description?: string | undefined; metadata?: Metadata }): Wire<Stripe.CustomerBalanceTransaction> {
  return {
    id: newId('cbtxn'), object: 'customer_balance_transaction', amount: given.amount, checkout_session: null, created: at, credit_note: null, currency: 'usd', customer: of.id,
    customer_account: null, description: given.description ?? null, ending_balance: of.balance, invoice: given.invoice ?? null, livemode: false, metadata: given.metadata ?? {}, type: given.type,
  };
}

export function testClock(at: number, frozen: number, name: string | null): Wire<Stripe.TestHelpers.TestClock> {
  return { id: newId('clock'), object: 'test_helpers.test_clock', created: at, deletes_after: at + 30 * 86_400, frozen_time: frozen, livemode: false, name, status: 'ready', status_details: {} };
}

export function portalConfiguration(at: number, prices: Wire<Stripe.Price>[], metadata: Metadata): Wire<Stripe.BillingPortal.Configuration> {
  return {
    id: newId('bpc'), object: 'billing_portal.configuration', active: true, application: null, business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    created: at, default_return_url: null,
    features: {
      customer_update: { allowed_updates: [], enabled: false }, invoice_history: { enabled: true }, payment_method_update: { enabled: true, payment_method_configuration: null },
      subscription_cancel: { cancellation_reason: { enabled: false, feedback_options: null, options: [] }, enabled: true, mode: 'at_period_end', proration_behavior: 'none' },
      subscription_pause: { duration: { interval_options: [{ interval: 'month', interval_count: 1 }], type: 'interval_options' }, enabled: false },
      subscription_update: {
        billing_cycle_anchor: null, default_allowed_updates: ['price'], enabled: true, proration_behavior: 'always_invoice', schedule_at_period_end: { conditions: [] }, trial_update_behavior: 'end_trial',
        products: prices.length > 0 ? [{ adjustable_quantity: { enabled: false, maximum: null, minimum: 0 }, prices: prices.map(({ id }) => id), product: prices[0]?.product as string }] : [],
      },
    },
    is_default: false, livemode: false, login_page: { enabled: false, url: null }, metadata, name: null, updated: at,
  };
}

export function portalSession(at: number, of: { customer: string; configuration: string; returnUrl: string | null; base: string }): Wire<Stripe.BillingPortal.Session> {
  const id = newId('bps');
  return {
    id, object: 'billing_portal.session', configuration: of.configuration, created: at, customer: of.customer, customer_account: null, flow: null, livemode: false, locale: null,
    on_behalf_of: null, return_url: of.returnUrl, url: `${of.base}/portal/${id}`,
  };
}
