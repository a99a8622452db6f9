import type { Account } from './account.ts';
import { attach, closeDispute, confirmIntent, methodOf, refundCharge } from './payments.ts';
import { payNow, voidInvoice } from './invoices.ts';
import { balanceTransaction, customer, portalConfiguration, portalSession, price, product, testClock } from './objects.ts';
import { advanceClock, cancelNow, createSubscription, isLive, updateSubscription } from './subscriptions.ts';
import { badRequest, metadataOf, missing, pageOf, type Params, requiredText, textOf, wholeOf } from './wire.ts';

export interface Call { account: Account; params: Params; ids: string[]; path: string; pagesBase: string }
interface Route { method: string; path: RegExp; params: string[]; answer: (call: Call) => object }

const LIST = ['limit', 'starting_after', 'ending_before'];
const route = (method: string, path: string, params: string[], answer: Route['answer']): Route =>
  ({ method, path: new RegExp(`^/v1/${path.replace(/:\w+/g, '([^/]+)')}$`), params: [...params, 'expand'], answer });

/** Everything of Stripe's API that exists here; an unknown address or parameter is refused as Stripe refuses it. */
const ROUTES: Route[] = [
  route('POST', 'customers', ['email', 'name', 'metadata.*', 'test_clock'], ({ account, params }) => {
    const clock = textOf(params, 'test_clock');
    if (clock) account.get('test_clocks', clock, 'test_clock');
    const made = customer(account.now(clock), { email: textOf(params, 'email'), name: textOf(params, 'name'), metadata: metadataOf(params), test_clock: clock });
    return account.add('customers', made, 'customer.created');
  }),
  route('GET', 'customers', [...LIST, 'email', 'test_clock'], ({ account, params, path }) => {
    const email = textOf(params, 'email');
    return pageOf(account.newest('customers', (row) => !account.state.deletedCustomers.includes(row.id) && (!email || row.email === email)), params, path);
  }),
  route('GET', 'customers/:id', [], ({ account, ids: [id = ''] }) =>
    account.state.deletedCustomers.includes(id) ? { id, object: 'customer', deleted: true } : account.get('customers', id)),
  route('POST', 'customers/:id', ['email', 'name', 'metadata.*', 'invoice_settings.default_payment_method'], ({ account, params, ids: [id = ''] }) => {
    const row = account.customer(id, 'id');
    const method = textOf((params.invoice_settings ?? {}) as Params, 'default_payment_method');
    return account.change(row, {
      email: textOf(params, 'email') ?? row.email, name: textOf(params, 'name') ?? row.name ?? null, metadata: { ...row.metadata, ...metadataOf(params) },
      ...(method ? { invoice_settings: { ...row.invoice_settings, default_payment_method: account.get('payment_methods', method, 'invoice_settings[default_payment_method]').id } } : {}),
    }, 'customer.updated');
  }),
  route('DELETE', 'customers/:id', [], ({ account, ids: [id = ''] }) => {
    const row = account.customer(id, 'id');
    for (const sub of account.all('subscriptions')) if (sub.customer === id && isLive(sub)) cancelNow(account, sub);
    account.state.deletedCustomers.push(id);
    account.tell('customer.deleted', row);
    return { id, object: 'customer', deleted: true };
  }),
  route('POST', 'customers/:id/balance_transactions', ['amount', 'currency', 'description', 'metadata.*'], ({ account, params, ids: [id = ''] }) => {
    const row = account.customer(id, 'id');
    const amount = wholeOf(params, 'amount');
    if (amount === undefined) throw badRequest('Missing required param: amount.', { code: 'parameter_missing', param: 'amount' });
    if (requiredText(params, 'currency') !== 'usd') throw badRequest('The simulator knows usd only', { param: 'currency' });
    account.change(row, { balance: row.balance + amount }, 'customer.updated');
    return account.add('balance_transactions', balanceTransaction(account.nowOf(id), row, { amount, type: 'adjustment', description: textOf(params, 'description'), metadata: metadataOf(params) }));
  }),
  route('GET', 'customers/:id/balance_transactions', LIST, ({ account, params, ids: [id = ''], path }) =>
    pageOf(account.newest('balance_transactions', (row) => row.customer === account.customer(id, 'id').id), params, path)),
  route('GET', 'customers/:id/payment_methods', [...LIST, 'type'], ({ account, params, ids: [id = ''], path }) =>
    pageOf(account.newest('payment_methods', (row) => row.customer === account.customer(id, 'id').id), params, path)),
  route('POST', 'products', ['id', 'name', 'metadata.*'], ({ account, params }) =>
    account.add('products', product(account.now(), requiredText(params, 'name'), textOf(params, 'id'), metadataOf(params)), 'product.created')),
  route('GET', 'products', [...LIST, 'active'], ({ account, params, path }) => pageOf(account.newest('products'), params, path)),
  route('GET', 'products/:id', [], ({ account, ids: [id = ''] }) => account.get('products', id)),
  route('POST', 'prices', ['product', 'unit_amount', 'currency', 'recurring.interval', 'lookup_key', 'metadata.*'], ({ account, params }) => {
    const interval = requiredText((params.recurring ?? {}) as Params, 'interval');
    if (interval !== 'month' && interval !== 'year') throw badRequest('Invalid recurring[interval]: must be one of month or year', { param: 'recurring[interval]' });
    const made = price(account.now(), {
      product: account.get('products', requiredText(params, 'product'), 'product').id, unit_amount: wholeOf(params, 'unit_amount') ?? 0, interval,
      lookup_key: textOf(params, 'lookup_key'), metadata: metadataOf(params),
    });
    return account.add('prices', made, 'price.created');
  }),
  route('GET', 'prices', [...LIST, 'active', 'lookup_keys'], ({ account, params, path }) => {
    const keys = Array.isArray(params.lookup_keys) ? params.lookup_keys : undefined;
    const active = textOf(params, 'active');
    return pageOf(account.newest('prices', (row) => (!keys || keys.includes(row.lookup_key ?? '')) && (!active || String(row.active) === active)), params, path);
  }),
  route('GET', 'prices/:id', [], ({ account, ids: [id = ''] }) => account.get('prices', id)),
  route('POST', 'subscriptions', ['customer', 'items.price', 'payment_behavior', 'payment_settings.save_default_payment_method', 'payment_settings.payment_method_types',
    'billing_mode.type', 'metadata.*', 'automatic_tax.enabled'], ({ account, params }) => createSubscription(account, params)),
  route('GET', 'subscriptions', [...LIST, 'customer', 'status', 'price'], ({ account, params, path }) => {
    const owner = textOf(params, 'customer');
    const status = textOf(params, 'status');
    if (owner) account.get('customers', owner, 'customer');
    const fits = (value: string) => status === 'all' || (status ? value === status : value !== 'canceled' && value !== 'incomplete_expired');
    return pageOf(account.newest('subscriptions', (row) => (!owner || row.customer === owner) && fits(row.status)), params, path);
  }),
  route('GET', 'subscriptions/:id', [], ({ account, ids: [id = ''] }) => account.get('subscriptions', id)),
  route('POST', 'subscriptions/:id', ['cancel_at_period_end', 'cancel_at', 'metadata.*', 'default_payment_method'], ({ account, params, ids: [id = ''] }) =>
    updateSubscription(account, account.get('subscriptions', id), params)),
  route('DELETE', 'subscriptions/:id', ['invoice_now', 'prorate', 'cancellation_details.comment'], ({ account, ids: [id = ''] }) => {
    const sub = account.get('subscriptions', id);
    if (!isLive(sub)) throw missing('subscription', id);
    return cancelNow(account, sub);
  }),
  route('GET', 'invoices', [...LIST, 'customer', 'subscription', 'status'], ({ account, params, path }) => {
    const [owner, sub, status] = ['customer', 'subscription', 'status'].map((name) => textOf(params, name));
    if (owner) account.get('customers', owner, 'customer');
    return pageOf(account.newest('invoices', (row) => (!owner || row.customer === owner) && (!status || row.status === status)
      && (!sub || row.parent?.subscription_details?.subscription === sub)), params, path);
  }),
  route('GET', 'invoices/:id', [], ({ account, ids: [id = ''] }) => account.get('invoices', id)),
  route('POST', 'invoices/:id/pay', ['payment_method', 'off_session'], ({ account, params, ids: [id = ''] }) =>
    payNow(account, account.get('invoices', id), textOf(params, 'payment_method'))),
  route('POST', 'invoices/:id/void', [], ({ account, ids: [id = ''] }) => voidInvoice(account, account.get('invoices', id))),
  route('GET', 'invoice_payments', [...LIST, 'invoice', 'status', 'payment.type', 'payment.payment_intent'], ({ account, params, path }) => {
    const of = (params.payment ?? {}) as Params;
    if (params.payment && of.type !== 'payment_intent') throw badRequest('Invalid payment[type]', { param: 'payment[type]' });
    const invoice = textOf(params, 'invoice');
    return pageOf(account.newest('invoice_payments', (row) => (!invoice || row.invoice === invoice) && (!of.payment_intent || row.payment.payment_intent === of.payment_intent)), params, path);
  }),
  route('GET', 'payment_intents/:id', ['client_secret'], ({ account, ids: [id = ''] }) => account.get('payment_intents', id)),
  route('POST', 'payment_intents/:id/confirm', ['payment_method', 'return_url', 'client_secret', 'key'], ({ account, params, ids: [id = ''], pagesBase }) =>
    confirmIntent(account, account.get('payment_intents', id), requiredText(params, 'payment_method'), { returnUrl: textOf(params, 'return_url') ?? null, pagesBase })),
  route('GET', 'payment_methods/:id', [], ({ account, ids: [id = ''] }) => account.get('payment_methods', id)),
  route('POST', 'payment_methods/:id/attach', ['customer'], ({ account, params, ids: [id = ''] }) => {
    const owner = account.customer(requiredText(params, 'customer')).id;
    return attach(account, methodOf(account, id, owner), owner);
  }),
  route('GET', 'charges', [...LIST, 'customer', 'payment_intent'], ({ account, params, path }) => {
    const [owner, intent] = ['customer', 'payment_intent'].map((name) => textOf(params, name));
    return pageOf(account.newest('charges', (row) => (!owner || row.customer === owner) && (!intent || row.payment_intent === intent)), params, path);
  }),
  route('GET', 'charges/:id', [], ({ account, ids: [id = ''] }) => account.get('charges', id)),
  route('POST', 'refunds', ['charge', 'payment_intent', 'amount', 'metadata.*', 'reason'], ({ account, params }) => {
    const intent = textOf(params, 'payment_intent');
    const id = textOf(params, 'charge') ?? (intent ? account.get('payment_intents', intent, 'payment_intent').latest_charge : undefined);
    return refundCharge(account, account.get('charges', id ?? '', 'charge'), wholeOf(params, 'amount'), metadataOf(params));
  }),
  route('GET', 'disputes', [...LIST, 'charge', 'payment_intent'], ({ account, params, path }) => {
    const of = textOf(params, 'charge');
    return pageOf(account.newest('disputes', (row) => !of || row.charge === of), params, path);
  }),
  route('GET', 'disputes/:id', [], ({ account, ids: [id = ''] }) => account.get('disputes', id)),
  route('POST', 'disputes/:id', ['evidence.uncategorized_text', 'submit'], ({ account, params, ids: [id = ''] }) =>
    closeDispute(account, account.get('disputes', id), ((params.evidence ?? {}) as Params).uncategorized_text === 'winning_evidence')),
  route('POST', 'disputes/:id/close', [], ({ account, ids: [id = ''] }) => closeDispute(account, account.get('disputes', id), false)),
  route('POST', 'billing_portal/sessions', ['customer', 'return_url', 'configuration'], ({ account, params, pagesBase }) => {
    const owner = account.customer(requiredText(params, 'customer'));
    const given = textOf(params, 'configuration');
    const configuration = given ? account.get('portal_configurations', given, 'configuration')
      : account.all('portal_configurations')[0] ?? account.add('portal_configurations', portalConfiguration(account.now(), account.all('prices'), {}));
    const made = portalSession(account.now(), { customer: owner.id, configuration: configuration.id, returnUrl: textOf(params, 'return_url') ?? null, base: pagesBase });
    return account.add('portal_sessions', made);
  }),
  route('POST', 'billing_portal/configurations', ['metadata.*', 'features.*'], ({ account, params }) => {
    const products = ((params.features as Params | undefined)?.subscription_update as Params | undefined)?.products as Params[] | undefined;
    const offered = (products ?? []).flatMap(({ prices }) => (prices as string[]).map((id) => account.get('prices', id, 'features[subscription_update][products][0][prices][0]')));
    return account.add('portal_configurations', portalConfiguration(account.now(), offered, metadataOf(params)));
  }),
  route('GET', 'billing_portal/configurations', [...LIST, 'active', 'is_default'], ({ account, params, path }) => pageOf(account.newest('portal_configurations'), params, path)),
  route('GET', 'events', [...LIST, 'type', 'delivery_success', 'created.gte'], ({ account, params, path }) => {
    const type = textOf(params, 'type');
    const since = Number((params.created as Params | undefined)?.gte ?? 0);
    const success = textOf(params, 'delivery_success');
    return pageOf(account.newest('events', (row) => (!type || row.type === type) && row.created >= since
      && (success === undefined || (success === 'true') === (row.pending_webhooks === 0))), params, path);
  }),
  route('GET', 'events/:id', [], ({ account, ids: [id = ''] }) => account.get('events', id)),
  route('POST', 'test_helpers/test_clocks', ['frozen_time', 'name'], ({ account, params }) => {
    const frozen = wholeOf(params, 'frozen_time');
    if (frozen === undefined) throw badRequest('Missing required param: frozen_time.', { code: 'parameter_missing', param: 'frozen_time' });
    return account.add('test_clocks', testClock(account.now(), frozen, textOf(params, 'name') ?? null), 'test_helpers.test_clock.created');
  }),
  route('GET', 'test_helpers/test_clocks/:id', [], ({ account, ids: [id = ''] }) => account.get('test_clocks', id)),
  route('POST', 'test_helpers/test_clocks/:id/advance', ['frozen_time'], ({ account, params, ids: [id = ''] }) => {
    const clock = account.get('test_clocks', id);
    const answer = { ...structuredClone(clock), status: 'advancing', status_details: { advancing: { target_frozen_time: wholeOf(params, 'frozen_time') } } };
    advanceClock(account, clock, wholeOf(params, 'frozen_time') ?? 0);
    return answer;
  }),
  route('DELETE', 'test_helpers/test_clocks/:id', [], ({ account, ids: [id = ''] }) => {
    account.get('test_clocks', id);
    for (const row of account.all('customers')) if (row.test_clock === id) account.state.deletedCustomers.push(row.id);
    for (const row of account.all('subscriptions')) if (row.test_clock === id) delete account.state.tables.subscriptions[row.id];
    delete account.state.tables.test_clocks[id];
    return { id, object: 'test_helpers.test_clock', deleted: true };
  }),
];

/** The route of a call, and the ids in its address. */
export function findRoute(method: string, path: string): { route: Route; ids: string[] } | undefined {
  for (const found of ROUTES) {
    const match = found.method === method ? found.path.exec(path) : null;
    if (match) return { route: found, ids: match.slice(1).map(decodeURIComponent) };
  }
  return undefined;
}

