import type Stripe from 'stripe';
import type { Account } from './account.ts';
import { DAY, HOUR, periodEnd } from './calendar.ts';
import { collect, draftInvoice, finalize, isGivenUp, voidInvoice } from './invoices.ts';
import { intervalOf, item, repriced } from './objects/catalogue.ts';
import { subscription } from './objects/billing.ts';
import { badRequest, metadataOf, type Params, requiredText, textOf, type Wire } from './wire.ts';

type Sub = Wire<Stripe.Subscription>;

const INCOMPLETE_FOR = 23 * HOUR;
const LIVE = ['active', 'past_due', 'incomplete', 'trialing', 'unpaid', 'paused'];

export const isLive = (sub: Sub): boolean => LIVE.includes(sub.status);
export const periodOf = (sub: Sub): { start: number; end: number } => ({
  start: sub.items.data[0]!.current_period_start,
  end: sub.items.data[0]!.current_period_end,
});

/**
 * Creates a subscription. Supports only `default_incomplete`: the first invoice stays open until the browser pays it.
 */
export function createSubscription(account: Account, params: Params): Sub {
  const owner = account.customer(requiredText(params, 'customer'));
  const [wanted] = (Array.isArray(params.items) ? params.items : []) as Params[];
  const of = account.get('prices', requiredText(wanted ?? {}, 'price'), 'items[0][price]');
  if (!of.active) throw badRequest(`The price specified is inactive.`, { param: 'items[0][price]' });
  if (textOf(params, 'payment_behavior') !== 'default_incomplete')
    throw badRequest('The simulator makes default_incomplete subscriptions only', { param: 'payment_behavior' });
  const mode = params.billing_mode as Params | undefined;
  if (mode && mode.type !== 'flexible')
    throw badRequest('The simulator speaks flexible billing mode only', { param: 'billing_mode[type]' });
  const settings = (params.payment_settings ?? {}) as Params;
  const at = account.nowOf(owner.id);
  const sub = subscription(at, {
    customer: owner,
    metadata: metadataOf(params),
    types: (settings.payment_method_types as string[] | undefined) ?? null,
    saves: settings.save_default_payment_method === 'on_subscription',
    tax: (params.automatic_tax as Params | undefined)?.enabled === 'true',
  });
  const end = periodEnd(at, at, intervalOf(of));
  sub.items.data = [item(at, sub.id, of, at, end)];
  account.add('subscriptions', sub);
  const first = draftInvoice(account, sub, 'subscription_create', at, at, [
    { amount: of.unit_amount ?? 0, price: of, start: at, end, proration: false, description: '1 × Pro' },
  ]);
  account.tell('customer.subscription.created', sub);
  finalize(account, first);
  return sub;
}

export function cancelNow(
  account: Account,
  sub: Sub,
  reason: 'cancellation_requested' | 'payment_failed' | 'payment_disputed' = 'cancellation_requested',
): Sub {
  const at = account.nowOf(sub.customer);
  for (const open of account.all('invoices')) {
    const own = open.parent?.subscription_details?.subscription === sub.id;
    if (own && open.status === 'open' && sub.status === 'incomplete') voidInvoice(account, open);
    else if (own && (open.status === 'open' || open.status === 'draft'))
      account.change(open, { auto_advance: false, next_payment_attempt: null, automatically_finalizes_at: null });
  }
  const details = {
    comment: null,
    feedback: null,
    feedback_option: null,
    ...sub.cancellation_details,
    reason: sub.cancellation_details?.reason ?? reason,
  };
  return account.change(
    sub,
    { status: 'canceled', canceled_at: sub.canceled_at ?? at, ended_at: at, cancellation_details: details },
    'customer.subscription.deleted',
  );
}

/** Expires a subscription whose first payment was not made. */
function expire(account: Account, sub: Sub): void {
  const first = account.find('invoices', sub.latest_invoice);
  if (first?.status === 'open') voidInvoice(account, first);
  account.change(
    sub,
    { status: 'incomplete_expired', ended_at: account.nowOf(sub.customer) },
    'customer.subscription.updated',
  );
}

/**
 * Updates a subscription. The API cancels at the period's end with `cancel_at_period_end`, the portal (flexible mode)
 * with `cancel_at`.
 */
export function updateSubscription(account: Account, sub: Sub, params: Params): Sub {
  if (!isLive(sub)) throw badRequest(`A canceled subscription can only update its cancellation_details and metadata.`);
  const byEnd = textOf(params, 'cancel_at_period_end');
  const byTime = textOf(params, 'cancel_at');
  if (byEnd !== undefined && byTime !== undefined)
    throw badRequest('You may only specify one of these parameters: cancel_at, cancel_at_period_end.');
  const fields: Partial<Sub> = {};
  if (params.metadata !== undefined) fields.metadata = { ...sub.metadata, ...metadataOf(params) };
  const method = textOf(params, 'default_payment_method');
  if (method) fields.default_payment_method = account.get('payment_methods', method, 'default_payment_method').id;
  if (byEnd === 'true') Object.assign(fields, ending(account, sub, periodOf(sub).end, true));
  if (byEnd === 'false' && sub.cancel_at_period_end) Object.assign(fields, NOT_ENDING);
  if (byTime === '') Object.assign(fields, NOT_ENDING);
  if (byTime)
    Object.assign(
      fields,
      ending(account, sub, byTime === 'min_period_end' ? periodOf(sub).end : Number(byTime), false),
    );
  return account.change(sub, fields, 'customer.subscription.updated');
}

const NO_REASON = { comment: null, feedback: null, feedback_option: null, reason: null };
const NOT_ENDING: Partial<Sub> = {
  cancel_at: null,
  cancel_at_period_end: false,
  canceled_at: null,
  cancellation_details: NO_REASON,
};

function ending(account: Account, sub: Sub, at: number, byPeriod: boolean): Partial<Sub> {
  return {
    cancel_at: at,
    cancel_at_period_end: byPeriod,
    canceled_at: account.nowOf(sub.customer),
    cancellation_details: { ...NO_REASON, reason: 'cancellation_requested' },
  };
}

/**
 * Switches the price as the portal does: a new period starts now, unused time is credited, and the rest is charged at
 * once.
 */
export function switchPrice(account: Account, sub: Sub, to: Wire<Stripe.Price>): void {
  const [old] = sub.items.data;
  if (sub.status !== 'active' || !old || old.price.id === to.id)
    throw badRequest('This subscription cannot be switched');
  const at = account.nowOf(sub.customer);
  const { start, end } = periodOf(sub);
  const unused = Math.round(((old.price.unit_amount ?? 0) * (end - at)) / (end - start));
  const next = periodEnd(at, at, intervalOf(to));
  const before = { items: structuredClone(sub.items) };
  Object.assign(sub, { billing_cycle_anchor: at, ...(sub.cancel_at === null ? {} : NOT_ENDING) });
  sub.items.data = [repriced(old, to, at, next)];
  const made = draftInvoice(account, sub, 'subscription_update', at, at, [
    { amount: -unused, price: old.price, start: at, end, proration: true, description: 'Unused time on Pro' },
    { amount: to.unit_amount ?? 0, price: to, start: at, end: next, proration: false, description: '1 × Pro' },
  ]);
  account.tell('customer.subscription.updated', sub, before);
  finalize(account, made);
  collect(account, made);
}

/** Starts a new period. Its invoice stays a draft for an hour. */
function renew(account: Account, sub: Sub): void {
  const [old] = sub.items.data;
  if (!old) return;
  const { end: start } = periodOf(sub);
  const end = periodEnd(sub.billing_cycle_anchor, start, intervalOf(old.price));
  const before = { items: structuredClone(sub.items) };
  sub.items.data = [repriced(old, old.price, start, end)];
  const made = draftInvoice(account, sub, 'subscription_cycle', old.current_period_start, start, [
    { amount: old.price.unit_amount ?? 0, price: old.price, start, end, proration: false, description: '1 × Pro' },
  ]);
  account.change(made, { automatically_finalizes_at: start + HOUR });
  account.tell('customer.subscription.updated', sub, before);
}

interface Due {
  at: number;
  run: () => void;
}

/**
 * Finds the next due work.
 * @param clock test clock whose customers count; undefined: customers without a test clock
 */
function nextDue(account: Account, clock: string | undefined): Due | undefined {
  const mine = (row: { test_clock: string | null }): boolean => (row.test_clock ?? undefined) === clock;
  const dues: Due[] = [];
  for (const sub of account.all('subscriptions').filter(mine)) {
    if (sub.status === 'incomplete') dues.push({ at: sub.created + INCOMPLETE_FOR, run: () => expire(account, sub) });
    if (sub.status !== 'active' && sub.status !== 'past_due') continue;
    if (sub.cancel_at !== null && sub.cancel_at <= periodOf(sub).end)
      dues.push({ at: sub.cancel_at, run: () => void cancelNow(account, sub) });
    else dues.push({ at: periodOf(sub).end, run: () => renew(account, sub) });
  }
  for (const open of account.all('invoices').filter(mine)) {
    if (open.status === 'draft' && open.automatically_finalizes_at !== null) {
      dues.push({
        at: open.automatically_finalizes_at,
        run: () => {
          finalize(account, open);
          collect(account, open);
        },
      });
    }
    if (open.status === 'open' && open.next_payment_attempt !== null)
      dues.push({ at: open.next_payment_attempt, run: () => retry(account, open) });
  }
  return dues.sort((a, b) => a.at - b.at)[0];
}

function retry(account: Account, open: Wire<Stripe.Invoice>): void {
  collect(account, open);
  const sub = account.find('subscriptions', open.parent?.subscription_details?.subscription);
  if (sub && isGivenUp(open)) cancelNow(account, sub, 'payment_failed');
}

/** Does all work that is due until a time, in order. Each item runs as of the time at which it was due. */
export function catchUp(account: Account, until: number, clock?: string): void {
  for (let due = nextDue(account, clock); due && due.at <= until; due = nextDue(account, clock))
    account.at(due.at, due.run);
}

/** A test clock only advances, by at most two years. */
export function advanceClock(account: Account, clock: Wire<Stripe.TestHelpers.TestClock>, to: number): void {
  if (to < clock.frozen_time) throw badRequest('You cannot advance a clock to the past.', { param: 'frozen_time' });
  if (to > clock.frozen_time + 2 * 366 * DAY)
    throw badRequest('You cannot advance a clock that far.', { param: 'frozen_time' });
  catchUp(account, to, clock.id);
  account.change(clock, { frozen_time: to }, 'test_helpers.test_clock.ready');
}
