import type { Account } from './account.ts';
import { intentOf } from './invoices.ts';
import type { TableName } from './state.ts';
import { badRequest, type Params } from './wire.ts';

type Row = Record<string, unknown>;

/** Fields that hold the id of another object, by type of object. All other expand paths are refused. */
const REFERENCES: Record<string, Record<string, TableName>> = {
  subscription: {
    customer: 'customers',
    latest_invoice: 'invoices',
    default_payment_method: 'payment_methods',
    test_clock: 'test_clocks',
  },
  invoice: { customer: 'customers', default_payment_method: 'payment_methods' },
  payment_intent: { customer: 'customers', payment_method: 'payment_methods', latest_charge: 'charges' },
  invoice_payment: { invoice: 'invoices' },
  charge: { customer: 'customers', payment_intent: 'payment_intents' },
  refund: { charge: 'charges', payment_intent: 'payment_intents' },
  dispute: { charge: 'charges', payment_intent: 'payment_intents' },
  payment_method: { customer: 'customers' },
  price: { product: 'products' },
  customer_balance_transaction: { invoice: 'invoices', customer: 'customers' },
  customer: { test_clock: 'test_clocks' },
};
/** Like REFERENCES, for fields of nested objects. */
const NESTED: Record<string, Record<string, TableName>> = {
  invoice_payment: { 'payment.payment_intent': 'payment_intents' },
  customer: { 'invoice_settings.default_payment_method': 'payment_methods' },
  invoice: { 'parent.subscription_details.subscription': 'subscriptions' },
};

/** The answer with complete objects in place of the ids that `expand` names. */
export function expanded(account: Account, body: object, params: Params): object {
  const paths = Array.isArray(params.expand) ? params.expand.map(String) : [];
  const copy = structuredClone(body) as Row;
  for (const path of paths) {
    if (path.split('.').length > 4) throw refused(path);
    expandPath(account, copy, path, path);
  }
  return copy;
}

const refused = (path: string) => badRequest(`This property cannot be expanded (${path}).`, { param: 'expand[0]' });

function expandPath(account: Account, row: Row, path: string, whole: string): void {
  if (row.object === 'list') {
    if (path !== 'data' && !path.startsWith('data.')) throw refused(whole);
    for (const inner of row.data as Row[]) if (path !== 'data') expandPath(account, inner, path.slice(5), whole);
    return;
  }
  const type = String(row.object);
  const [nested] = Object.entries(NESTED[type] ?? {}).filter(([name]) => path === name || path.startsWith(`${name}.`));
  const [head = ''] = nested ? [nested[0]] : path.split('.');
  const rest = path.slice(head.length + 1);
  if (type === 'invoice' && head === 'confirmation_secret' && !rest) return includeSecret(account, row);
  if (type === 'invoice' && head === 'payments') return includePayments(account, row, rest, whole);
  const table = nested?.[1] ?? REFERENCES[type]?.[head];
  if (!table) throw refused(whole);
  const holder = head
    .split('.')
    .slice(0, -1)
    .reduce<Row | null | undefined>((at, key) => at?.[key] as Row | null | undefined, row);
  const key = head.split('.').at(-1)!;
  const id = holder?.[key];
  if (!holder || id === null || id === undefined) return;
  if (typeof id === 'string') holder[key] = structuredClone(account.find(table, id)) ?? id;
  if (rest && typeof holder[key] === 'object') expandPath(account, holder[key] as Row, rest, whole);
}

/** Adds the client secret to an invoice. Like Stripe, the simulator includes it only on request. */
function includeSecret(account: Account, row: Row): void {
  const intent = intentOf(account, row as never);
  const isOpen = row.status === 'open' && intent?.client_secret;
  row.confirmation_secret = isOpen ? { client_secret: intent.client_secret, type: 'payment_intent' } : null;
}

function includePayments(account: Account, row: Row, rest: string, whole: string): void {
  const data = structuredClone(account.newest('invoice_payments', ({ invoice }) => invoice === row.id));
  row.payments ??= { object: 'list', data, has_more: false, url: `/v1/invoices/${String(row.id)}/payments` };
  if (rest) expandPath(account, row.payments as Row, rest, whole);
}
