import type Stripe from 'stripe';
import type { Account } from './account.ts';
import { DAY } from './calendar.ts';
import { balanceTransaction } from './objects.ts';
import { invoice, invoicePayment, line, type LineGiven } from './objects/billing.ts';
import { paymentIntent } from './objects/payments.ts';
import { chargeIntent } from './payments.ts';
import { ApiFault, badRequest, type Wire } from './wire.ts';

type Invoice = Wire<Stripe.Invoice>;
type Sub = Wire<Stripe.Subscription>;

/**
 * Times of the retries of a failed renewal, in seconds since the invoice was finalized. After the last retry, the
 * subscription ends.
 */
const RETRIES = [3 * DAY, 7 * DAY, 14 * DAY];

export type Reason = 'subscription_create' | 'subscription_cycle' | 'subscription_update';

export function draftInvoice(
  account: Account,
  sub: Sub,
  reason: Reason,
  start: number,
  end: number,
  lines: Omit<LineGiven, 'subscription' | 'item'>[],
): Invoice {
  const owner = account.get('customers', sub.customer);
  const made = invoice(account.nowOf(sub.customer), { customer: owner, subscription: sub, reason, start, end });
  const total = lines.reduce((sum, given) => sum + given.amount, 0);
  made.lines.data = lines.map((given) =>
    line(made.id, { ...given, subscription: sub.id, item: sub.items.data[0]!.id }),
  );
  Object.assign(made, {
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
    amount_due: Math.max(0, total),
    amount_remaining: Math.max(0, total),
    starting_balance: owner.balance,
  });
  account.change(sub, { latest_invoice: made.id });
  return account.add('invoices', made, 'invoice.created');
}

/** Finalizes an invoice: applies the customer's balance and creates the payment for the rest. */
export function finalize(account: Account, of: Invoice): void {
  const owner = account.get('customers', of.customer ?? '');
  const at = account.nowOf(owner.id);
  const wanted = of.total + owner.balance;
  const due = Math.max(0, wanted);
  const applied = due - of.total;
  const starting = owner.balance;
  if (applied !== 0) {
    account.change(owner, { balance: owner.balance - applied }, 'customer.updated');
    account.add(
      'balance_transactions',
      balanceTransaction(at, owner, { amount: -applied, type: 'applied_to_invoice', invoice: of.id }),
    );
  }
  const sequence = owner.next_invoice_sequence ?? 1;
  account.change(owner, { next_invoice_sequence: sequence + 1, currency: 'usd' });
  account.change(
    of,
    {
      status: 'open',
      starting_balance: starting,
      ending_balance: owner.balance,
      amount_due: due,
      amount_remaining: due,
      automatically_finalizes_at: null,
      effective_at: at,
      number: `${owner.invoice_prefix}-${String(sequence).padStart(4, '0')}`,
      status_transitions: { ...of.status_transitions, finalized_at: at },
    },
    'invoice.finalized',
  );
  if (due === 0) return markPaid(account, of, 0);
  const intent = account.add('payment_intents', paymentIntent(at, of), 'payment_intent.created');
  account.add('invoice_payments', invoicePayment(at, of, intent.id));
}

export function intentOf(account: Account, of: Invoice): Wire<Stripe.PaymentIntent> | undefined {
  const joined = account.all('invoice_payments').find(({ invoice: id }) => id === of.id);
  return joined && account.find('payment_intents', joined.payment.payment_intent);
}

export const subscriptionOf = (account: Account, of: Invoice): Sub | undefined =>
  account.find('subscriptions', of.parent?.subscription_details?.subscription);

/** Marks the invoice of a paid payment intent as paid. */
export function settleInvoice(account: Account, intent: Wire<Stripe.PaymentIntent>): void {
  const joined = account.all('invoice_payments').find(({ payment }) => payment.payment_intent === intent.id);
  if (!joined) return;
  const at = account.nowOf(intent.customer);
  account.change(
    joined,
    { status: 'paid', amount_paid: intent.amount, status_transitions: { ...joined.status_transitions, paid_at: at } },
    'invoice_payment.paid',
  );
  markPaid(account, account.get('invoices', joined.invoice), intent.amount, intent.payment_method);
}

function markPaid(account: Account, of: Invoice, amount: number, method: string | null = null): void {
  const at = account.nowOf(of.customer);
  account.change(
    of,
    {
      status: 'paid',
      amount_paid: amount,
      amount_remaining: 0,
      attempted: true,
      attempt_count: of.attempt_count + (amount > 0 ? 1 : 0),
      next_payment_attempt: null,
      auto_advance: false,
      status_transitions: { ...of.status_transitions, paid_at: at },
    },
    'invoice.paid',
    'invoice.payment_succeeded',
  );
  const sub = subscriptionOf(account, of);
  if (!sub || sub.ended_at !== null) return;
  const saved =
    method && sub.payment_settings?.save_default_payment_method === 'on_subscription'
      ? { default_payment_method: method }
      : {};
  account.change(sub, { status: 'active', ...saved }, 'customer.subscription.updated');
}

/** Tries to charge the saved card, without any action by the customer. */
export function collect(account: Account, of: Invoice): void {
  const intent = intentOf(account, of);
  const sub = subscriptionOf(account, of);
  const owner = account.get('customers', of.customer ?? '');
  const method = account.find(
    'payment_methods',
    sub?.default_payment_method ?? owner.invoice_settings.default_payment_method,
  );
  if (of.status !== 'open' || !intent) return;
  try {
    if (!method) throw new ApiFault(402, 'card_error', 'The customer has no payment method', { code: 'missing' });
    chargeIntent(account, intent, method);
  } catch (error) {
    if (!(error instanceof ApiFault)) throw error;
    failed(account, of, sub);
  }
}

function failed(account: Account, of: Invoice, sub: Sub | undefined): void {
  const first = of.status_transitions.finalized_at ?? of.created;
  const tries = of.attempt_count + 1;
  const next = RETRIES[tries - 1];
  account.change(
    of,
    {
      attempted: true,
      attempt_count: tries,
      next_payment_attempt: next === undefined ? null : first + next,
      auto_advance: next !== undefined,
    },
    'invoice.payment_failed',
  );
  if (sub?.status === 'active') account.change(sub, { status: 'past_due' }, 'customer.subscription.updated');
}

/** Whether an open invoice has no retry left. */
export const isGivenUp = (of: Invoice): boolean => of.status === 'open' && of.attempt_count > RETRIES.length;

/** @throws 402 if the card is declined */
export function payNow(account: Account, of: Invoice, methodId: string | undefined): Invoice {
  if (of.status !== 'open')
    throw badRequest(`Invoice is ${of.status === 'paid' ? 'already paid' : 'not open'}`, {
      code: 'invoice_not_editable',
    });
  const sub = subscriptionOf(account, of);
  const method = account.find('payment_methods', methodId ?? sub?.default_payment_method);
  const intent = intentOf(account, of);
  if (!method || !intent) throw badRequest('There is no payment method to pay this invoice with');
  chargeIntent(account, intent, method);
  return of;
}

export function voidInvoice(account: Account, of: Invoice): Invoice {
  if (of.status !== 'open') throw badRequest(`You can only pass in open invoices. This invoice is ${of.status}.`);
  const at = account.nowOf(of.customer);
  const intent = intentOf(account, of);
  if (intent)
    account.change(
      intent,
      { status: 'canceled', canceled_at: at, cancellation_reason: 'void_invoice', next_action: null },
      'payment_intent.canceled',
    );
  return account.change(
    of,
    {
      status: 'void',
      next_payment_attempt: null,
      auto_advance: false,
      status_transitions: { ...of.status_transitions, voided_at: at },
    },
    'invoice.voided',
  );
}
