import { attach, closeDispute, confirmIntent, methodOf, refundCharge } from '../payments.ts';
import { payNow, voidInvoice } from '../invoices.ts';
import { portalConfiguration, portalSession, testClock } from '../objects.ts';
import { advanceClock } from '../subscriptions.ts';
import { badRequest, metadataOf, pageOf, type Params, requiredText, textOf, wholeOf } from '../wire.ts';

import { LIST, type Route, route } from './route.ts';

/** Routes for invoices, payments, the portal, events and test clocks. */
export const paymentsRoutes: Route[] = [
  route('GET', 'invoices', [...LIST, 'customer', 'subscription', 'status'], ({ account, params, path }) => {
    const [owner, sub, status] = ['customer', 'subscription', 'status'].map((name) => textOf(params, name));
    if (owner) account.get('customers', owner, 'customer');
    return pageOf(
      account.newest(
        'invoices',
        (row) =>
          (!owner || row.customer === owner) &&
          (!status || row.status === status) &&
          (!sub || row.parent?.subscription_details?.subscription === sub),
      ),
      params,
      path,
    );
  }),
  route('GET', 'invoices/:id', [], ({ account, ids: [id = ''] }) => account.get('invoices', id)),
  route('POST', 'invoices/:id/pay', ['payment_method', 'off_session'], ({ account, params, ids: [id = ''] }) =>
    payNow(account, account.get('invoices', id), textOf(params, 'payment_method')),
  ),
  route('POST', 'invoices/:id/void', [], ({ account, ids: [id = ''] }) =>
    voidInvoice(account, account.get('invoices', id)),
  ),
  route(
    'GET',
    'invoice_payments',
    [...LIST, 'invoice', 'status', 'payment.type', 'payment.payment_intent'],
    ({ account, params, path }) => {
      const of = (params.payment ?? {}) as Params;
      if (params.payment && of.type !== 'payment_intent')
        throw badRequest('Invalid payment[type]', { param: 'payment[type]' });
      const invoice = textOf(params, 'invoice');
      return pageOf(
        account.newest(
          'invoice_payments',
          (row) =>
            (!invoice || row.invoice === invoice) &&
            (!of.payment_intent || row.payment.payment_intent === of.payment_intent),
        ),
        params,
        path,
      );
    },
  ),
  route('GET', 'payment_intents/:id', ['client_secret'], ({ account, ids: [id = ''] }) =>
    account.get('payment_intents', id),
  ),
  route(
    'POST',
    'payment_intents/:id/confirm',
    ['payment_method', 'return_url', 'client_secret', 'key'],
    ({ account, params, ids: [id = ''], pagesBase }) =>
      confirmIntent(account, account.get('payment_intents', id), requiredText(params, 'payment_method'), {
        returnUrl: textOf(params, 'return_url') ?? null,
        pagesBase,
      }),
  ),
  route('GET', 'payment_methods/:id', [], ({ account, ids: [id = ''] }) => account.get('payment_methods', id)),
  route('POST', 'payment_methods/:id/attach', ['customer'], ({ account, params, ids: [id = ''] }) => {
    const owner = account.customer(requiredText(params, 'customer')).id;
    return attach(account, methodOf(account, id, owner), owner);
  }),
  route('GET', 'charges', [...LIST, 'customer', 'payment_intent'], ({ account, params, path }) => {
    const [owner, intent] = ['customer', 'payment_intent'].map((name) => textOf(params, name));
    return pageOf(
      account.newest(
        'charges',
        (row) => (!owner || row.customer === owner) && (!intent || row.payment_intent === intent),
      ),
      params,
      path,
    );
  }),
  route('GET', 'charges/:id', [], ({ account, ids: [id = ''] }) => account.get('charges', id)),
  route('POST', 'refunds', ['charge', 'payment_intent', 'amount', 'metadata.*', 'reason'], ({ account, params }) => {
    const intent = textOf(params, 'payment_intent');
    const id =
      textOf(params, 'charge') ??
      (intent ? account.get('payment_intents', intent, 'payment_intent').latest_charge : undefined);
    return refundCharge(
      account,
      account.get('charges', id ?? '', 'charge'),
      wholeOf(params, 'amount'),
      metadataOf(params),
    );
  }),
  route('GET', 'disputes', [...LIST, 'charge', 'payment_intent'], ({ account, params, path }) => {
    const of = textOf(params, 'charge');
    return pageOf(
      account.newest('disputes', (row) => !of || row.charge === of),
      params,
      path,
    );
  }),
  route('GET', 'disputes/:id', [], ({ account, ids: [id = ''] }) => account.get('disputes', id)),
  route('POST', 'disputes/:id', ['evidence.uncategorized_text', 'submit'], ({ account, params, ids: [id = ''] }) =>
    closeDispute(
      account,
      account.get('disputes', id),
      ((params.evidence ?? {}) as Params).uncategorized_text === 'winning_evidence',
    ),
  ),
  route('POST', 'disputes/:id/close', [], ({ account, ids: [id = ''] }) =>
    closeDispute(account, account.get('disputes', id), false),
  ),
  route(
    'POST',
    'billing_portal/sessions',
    ['customer', 'return_url', 'configuration'],
    ({ account, params, pagesBase }) => {
      const owner = account.customer(requiredText(params, 'customer'));
      const given = textOf(params, 'configuration');
      const configuration = given
        ? account.get('portal_configurations', given, 'configuration')
        : (account.all('portal_configurations')[0] ??
          account.add('portal_configurations', portalConfiguration(account.now(), account.all('prices'), {})));
      const made = portalSession(account.now(), {
        customer: owner.id,
        configuration: configuration.id,
        returnUrl: textOf(params, 'return_url') ?? null,
        base: pagesBase,
      });
      return account.add('portal_sessions', made);
    },
  ),
  route('POST', 'billing_portal/configurations', ['metadata.*', 'features.*'], ({ account, params }) => {
    const products = ((params.features as Params | undefined)?.subscription_update as Params | undefined)?.products as
      Params[] | undefined;
    const offered = (products ?? []).flatMap(({ prices }) =>
      (prices as string[]).map((id) =>
        account.get('prices', id, 'features[subscription_update][products][0][prices][0]'),
      ),
    );
    return account.add('portal_configurations', portalConfiguration(account.now(), offered, metadataOf(params)));
  }),
  route('GET', 'billing_portal/configurations', [...LIST, 'active', 'is_default'], ({ account, params, path }) =>
    pageOf(account.newest('portal_configurations'), params, path),
  ),
  route('GET', 'events', [...LIST, 'type', 'delivery_success', 'created.gte'], ({ account, params, path }) => {
    const type = textOf(params, 'type');
    const since = Number((params.created as Params | undefined)?.gte ?? 0);
    const success = textOf(params, 'delivery_success');
    return pageOf(
      account.newest(
        'events',
        (row) =>
          (!type || row.type === type) &&
          row.created >= since &&
          (success === undefined || (success === 'true') === (row.pending_webhooks === 0)),
      ),
      params,
      path,
    );
  }),
  route('GET', 'events/:id', [], ({ account, ids: [id = ''] }) => account.get('events', id)),
  route('POST', 'test_helpers/test_clocks', ['frozen_time', 'name'], ({ account, params }) => {
    const frozen = wholeOf(params, 'frozen_time');
    if (frozen === undefined)
      throw badRequest('Missing required param: frozen_time.', { code: 'parameter_missing', param: 'frozen_time' });
    return account.add(
      'test_clocks',
      testClock(account.now(), frozen, textOf(params, 'name') ?? null),
      'test_helpers.test_clock.created',
    );
  }),
  route('GET', 'test_helpers/test_clocks/:id', [], ({ account, ids: [id = ''] }) => account.get('test_clocks', id)),
  route('POST', 'test_helpers/test_clocks/:id/advance', ['frozen_time'], ({ account, params, ids: [id = ''] }) => {
    const clock = account.get('test_clocks', id);
    const answer = {
      ...structuredClone(clock),
      status: 'advancing',
      status_details: { advancing: { target_frozen_time: wholeOf(params, 'frozen_time') } },
    };
    advanceClock(account, clock, wholeOf(params, 'frozen_time') ?? 0);
    return answer;
  }),
  route('DELETE', 'test_helpers/test_clocks/:id', [], ({ account, ids: [id = ''] }) => {
    account.get('test_clocks', id);
    for (const row of account.all('customers')) if (row.test_clock === id) account.state.deletedCustomers.push(row.id);
    for (const row of account.all('subscriptions'))
      if (row.test_clock === id) delete account.state.tables.subscriptions[row.id];
    delete account.state.tables.test_clocks[id];
    return { id, object: 'test_helpers.test_clock', deleted: true };
  }),
];
