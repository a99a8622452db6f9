import { balanceTransaction, customer } from '../objects.ts';
import { price, product } from '../objects/catalogue.ts';
import { cancelNow, createSubscription, isLive, updateSubscription } from '../subscriptions.ts';
import { badRequest, metadataOf, missing, pageOf, type Params, requiredText, textOf, wholeOf } from '../wire.ts';

import { LIST, type Route, route } from './route.ts';

/** Routes for customers, products, prices and subscriptions. */
export const customersRoutes: Route[] = [
  route('POST', 'customers', ['email', 'name', 'metadata.*', 'test_clock'], ({ account, params }) => {
    const clock = textOf(params, 'test_clock');
    if (clock) account.get('test_clocks', clock, 'test_clock');
    const made = customer(account.now(clock), {
      email: textOf(params, 'email'),
      name: textOf(params, 'name'),
      metadata: metadataOf(params),
      test_clock: clock,
    });
    return account.add('customers', made, 'customer.created');
  }),
  route('GET', 'customers', [...LIST, 'email', 'test_clock'], ({ account, params, path }) => {
    const email = textOf(params, 'email');
    return pageOf(
      account.newest(
        'customers',
        (row) => !account.state.deletedCustomers.includes(row.id) && (!email || row.email === email),
      ),
      params,
      path,
    );
  }),
  route('GET', 'customers/:id', [], ({ account, ids: [id = ''] }) =>
    account.state.deletedCustomers.includes(id)
      ? { id, object: 'customer', deleted: true }
      : account.get('customers', id),
  ),
  route(
    'POST',
    'customers/:id',
    ['email', 'name', 'metadata.*', 'invoice_settings.default_payment_method'],
    ({ account, params, ids: [id = ''] }) => {
      const row = account.customer(id, 'id');
      const method = textOf((params.invoice_settings ?? {}) as Params, 'default_payment_method');
      return account.change(
        row,
        {
          email: textOf(params, 'email') ?? row.email,
          name: textOf(params, 'name') ?? row.name ?? null,
          metadata: { ...row.metadata, ...metadataOf(params) },
          ...(method
            ? {
                invoice_settings: {
                  ...row.invoice_settings,
                  default_payment_method: account.get(
                    'payment_methods',
                    method,
                    'invoice_settings[default_payment_method]',
                  ).id,
                },
              }
            : {}),
        },
        'customer.updated',
      );
    },
  ),
  route('DELETE', 'customers/:id', [], ({ account, ids: [id = ''] }) => {
    const row = account.customer(id, 'id');
    for (const sub of account.all('subscriptions')) if (sub.customer === id && isLive(sub)) cancelNow(account, sub);
    account.state.deletedCustomers.push(id);
    account.tell('customer.deleted', row);
    return { id, object: 'customer', deleted: true };
  }),
  route(
    'POST',
    'customers/:id/balance_transactions',
    ['amount', 'currency', 'description', 'metadata.*'],
    ({ account, params, ids: [id = ''] }) => {
      const row = account.customer(id, 'id');
      const amount = wholeOf(params, 'amount');
      if (amount === undefined)
        throw badRequest('Missing required param: amount.', { code: 'parameter_missing', param: 'amount' });
      if (requiredText(params, 'currency') !== 'usd')
        throw badRequest('The simulator knows usd only', { param: 'currency' });
      account.change(row, { balance: row.balance + amount }, 'customer.updated');
      return account.add(
        'balance_transactions',
        balanceTransaction(account.nowOf(id), row, {
          amount,
          type: 'adjustment',
          description: textOf(params, 'description'),
          metadata: metadataOf(params),
        }),
      );
    },
  ),
  route('GET', 'customers/:id/balance_transactions', LIST, ({ account, params, ids: [id = ''], path }) =>
    pageOf(
      account.newest('balance_transactions', (row) => row.customer === account.customer(id, 'id').id),
      params,
      path,
    ),
  ),
  route('GET', 'customers/:id/payment_methods', [...LIST, 'type'], ({ account, params, ids: [id = ''], path }) =>
    pageOf(
      account.newest('payment_methods', (row) => row.customer === account.customer(id, 'id').id),
      params,
      path,
    ),
  ),
  route('POST', 'products', ['id', 'name', 'metadata.*'], ({ account, params }) =>
    account.add(
      'products',
      product(account.now(), requiredText(params, 'name'), textOf(params, 'id'), metadataOf(params)),
      'product.created',
    ),
  ),
  route('GET', 'products', [...LIST, 'active'], ({ account, params, path }) =>
    pageOf(account.newest('products'), params, path),
  ),
  route('GET', 'products/:id', [], ({ account, ids: [id = ''] }) => account.get('products', id)),
  route(
    'POST',
    'prices',
    ['product', 'unit_amount', 'currency', 'recurring.interval', 'lookup_key', 'metadata.*'],
    ({ account, params }) => {
      const interval = requiredText((params.recurring ?? {}) as Params, 'interval');
      if (interval !== 'month' && interval !== 'year')
        throw badRequest('Invalid recurring[interval]: must be one of month or year', { param: 'recurring[interval]' });
      const made = price(account.now(), {
        product: account.get('products', requiredText(params, 'product'), 'product').id,
        unit_amount: wholeOf(params, 'unit_amount') ?? 0,
        interval,
        lookup_key: textOf(params, 'lookup_key'),
        metadata: metadataOf(params),
      });
      return account.add('prices', made, 'price.created');
    },
  ),
  route('GET', 'prices', [...LIST, 'active', 'lookup_keys'], ({ account, params, path }) => {
    const keys = Array.isArray(params.lookup_keys) ? params.lookup_keys : undefined;
    const active = textOf(params, 'active');
    return pageOf(
      account.newest(
        'prices',
        (row) => (!keys || keys.includes(row.lookup_key ?? '')) && (!active || String(row.active) === active),
      ),
      params,
      path,
    );
  }),
  route('GET', 'prices/:id', [], ({ account, ids: [id = ''] }) => account.get('prices', id)),
  route(
    'POST',
    'subscriptions',
    [
      'customer',
      'items.price',
      'payment_behavior',
      'payment_settings.save_default_payment_method',
      'payment_settings.payment_method_types',
      'billing_mode.type',
      'metadata.*',
      'automatic_tax.enabled',
    ],
    ({ account, params }) => createSubscription(account, params),
  ),
  route('GET', 'subscriptions', [...LIST, 'customer', 'status', 'price'], ({ account, params, path }) => {
    const owner = textOf(params, 'customer');
    const status = textOf(params, 'status');
    if (owner) account.get('customers', owner, 'customer');
    const fits = (value: string) =>
      status === 'all' || (status ? value === status : value !== 'canceled' && value !== 'incomplete_expired');
    return pageOf(
      account.newest('subscriptions', (row) => (!owner || row.customer === owner) && fits(row.status)),
      params,
      path,
    );
  }),
  route('GET', 'subscriptions/:id', [], ({ account, ids: [id = ''] }) => account.get('subscriptions', id)),
  route(
    'POST',
    'subscriptions/:id',
    ['cancel_at_period_end', 'cancel_at', 'metadata.*', 'default_payment_method'],
    ({ account, params, ids: [id = ''] }) => updateSubscription(account, account.get('subscriptions', id), params),
  ),
  route(
    'DELETE',
    'subscriptions/:id',
    ['invoice_now', 'prorate', 'cancellation_details.comment'],
    ({ account, ids: [id = ''] }) => {
      const sub = account.get('subscriptions', id);
      if (!isLive(sub)) throw missing('subscription', id);
      return cancelNow(account, sub);
    },
  ),
];
