import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type Stripe from 'stripe';
import type { Wire } from './wire.ts';

export interface Tables {
  customers: Wire<Stripe.Customer>;
  products: Wire<Stripe.Product>;
  prices: Wire<Stripe.Price>;
  subscriptions: Wire<Stripe.Subscription>;
  invoices: Wire<Stripe.Invoice>;
  invoice_payments: Wire<Stripe.InvoicePayment>;
  payment_intents: Wire<Stripe.PaymentIntent>;
  payment_methods: Wire<Stripe.PaymentMethod>;
  charges: Wire<Stripe.Charge>;
  refunds: Wire<Stripe.Refund>;
  disputes: Wire<Stripe.Dispute>;
  balance_transactions: Wire<Stripe.CustomerBalanceTransaction>;
  portal_sessions: Wire<Stripe.BillingPortal.Session>;
  portal_configurations: Wire<Stripe.BillingPortal.Configuration>;
  test_clocks: Wire<Stripe.TestHelpers.TestClock>;
  events: Wire<Stripe.EventBase>;
}
export type TableName = keyof Tables;

export interface Answered {
  fingerprint: string;
  status: number;
  body: string;
  at: number;
}
export interface Delivery {
  event: string;
  tries: number;
  due: number;
}

/** State that survives a restart. */
export interface State {
  tables: { [K in TableName]: Record<string, Tables[K]> };
  deletedCustomers: string[];
  /** Name of the test card, by id of the payment method. */
  cardOf: Record<string, string>;
  answered: Record<string, Answered>;
  deliveries: Delivery[];
}

const TABLES: TableName[] = [
  'customers',
  'products',
  'prices',
  'subscriptions',
  'invoices',
  'invoice_payments',
  'payment_intents',
  'payment_methods',
  'charges',
  'refunds',
  'disputes',
  'balance_transactions',
  'portal_sessions',
  'portal_configurations',
  'test_clocks',
  'events',
];

export const emptyState = (): State => ({
  tables: Object.fromEntries(TABLES.map((name) => [name, {}])) as State['tables'],
  deletedCustomers: [],
  cardOf: {},
  answered: {},
  deliveries: [],
});

/** Reads the state from its file. A missing or unreadable file gives an empty account. */
export function loadState(file: string | undefined): State {
  if (!file) return emptyState();
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as State;
  } catch {
    return emptyState();
  }
}

/** Saves the state atomically: writes a draft and renames it. */
export function saveState(file: string | undefined, state: State): void {
  if (!file) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}.tmp`;
  writeFileSync(fresh, JSON.stringify(state), { mode: 0o600 });
  renameSync(fresh, file);
}

export const newId = (prefix: string): string =>
  `${prefix}_${randomBytes(18)
    .toString('base64')
    .replace(/[^a-zA-Z0-9]/g, 'x')
    .slice(0, 24)}`;
