import type Stripe from 'stripe';
import { product, price } from './objects/catalogue.ts';
import { newId, type State, type TableName, type Tables } from './state.ts';
import { API_VERSION, missing, type Wire } from './wire.ts';

const NAMES: Partial<Record<TableName, string>> = {
  invoice_payments: 'invoice_payment',
  payment_intents: 'payment_intent',
  payment_methods: 'PaymentMethod',
  test_clocks: 'test_clock',
  portal_sessions: 'billing portal session',
};

/** A Stripe account: its objects, its test clocks, and the events that it emits when an object changes. */
export class Account {
  state: State;
  /** Returns the real time, which applies to all customers without a test clock. */
  private readonly realNow: () => number;
  private readonly onEvent: (event: Wire<Stripe.EventBase>) => void;
  /** Time at which the work that is now being caught up was due. Objects get it as their time; absent otherwise. */
  private pretended: number | undefined;

  constructor(state: State, options: { now: () => number; onEvent: (event: Wire<Stripe.EventBase>) => void }) {
    this.state = state;
    this.realNow = options.now;
    this.onEvent = options.onEvent;
    this.seed();
  }

  now(clock?: string | null | undefined): number {
    if (this.pretended !== undefined) return this.pretended;
    return (clock ? this.state.tables.test_clocks[clock]?.frozen_time : undefined) ?? this.realNow();
  }

  nowOf(customer: string | null): number {
    return this.now(customer ? (this.state.tables.customers[customer]?.test_clock ?? null) : null);
  }

  at(moment: number, work: () => void): void {
    this.pretended = moment;
    try {
      work();
    } finally {
      this.pretended = undefined;
    }
  }

  all<K extends TableName>(table: K): Tables[K][] {
    return Object.values(this.state.tables[table]);
  }

  /** Rows of a table, newest first. */
  newest<K extends TableName>(table: K, fits: (row: Tables[K]) => boolean = () => true): Tables[K][] {
    return this.all(table).filter(fits).reverse();
  }

  find<K extends TableName>(table: K, id: string | null | undefined): Tables[K] | undefined {
    return id && Object.hasOwn(this.state.tables[table], id) ? this.state.tables[table][id] : undefined;
  }

  get<K extends TableName>(table: K, id: string, param?: string): Tables[K] {
    const found = this.find(table, id);
    if (!found) throw missing(NAMES[table] ?? table.replace(/s$/, ''), id, param);
    return found;
  }

  /** Finds a customer that is not deleted. */
  customer(id: string, param = 'customer'): Wire<Stripe.Customer> {
    if (this.state.deletedCustomers.includes(id)) throw missing('customer', id, param);
    return this.get('customers', id, param);
  }

  add<K extends TableName>(table: K, row: Tables[K], event?: string): Tables[K] {
    (this.state.tables[table] as Record<string, Tables[K]>)[row.id] = row;
    if (event) this.tell(event, row);
    return row;
  }

  /** Changes fields of an object, and emits each named event. */
  change<T extends object>(row: T, fields: Partial<T>, ...events: string[]): T {
    const before = Object.fromEntries(Object.keys(fields).map((key) => [key, (row as Record<string, unknown>)[key]]));
    const previous = Object.fromEntries(
      Object.entries(before).filter(
        ([key, value]) => JSON.stringify(value) !== JSON.stringify((fields as Record<string, unknown>)[key]),
      ),
    );
    Object.assign(row, fields);
    for (const event of events) this.tell(event, row, event.endsWith('.updated') ? previous : undefined);
    return row;
  }

  tell(type: string, object: object, previous?: Record<string, unknown>): void {
    const { customer } = object as { customer?: string | null };
    const event: Wire<Stripe.EventBase> = {
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: this.nowOf(customer ?? null),
      data: {
        object: structuredClone(object) as Wire<Stripe.EventBase>['data']['object'],
        ...(previous ? { previous_attributes: structuredClone(previous) } : {}),
      },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type: type as Wire<Stripe.EventBase>['type'],
    };
    this.state.tables.events[event.id] = event;
    this.onEvent(event);
  }

  /** Creates the product and the two prices of a new account. */
  private seed(): void {
    if (this.find('prices', 'price_pro_monthly')) return;
    const at = this.now();
    const pro = this.add('products', product(at, 'Pro', 'prod_pro'));
    this.add(
      'prices',
      price(at, {
        id: 'price_pro_monthly',
        product: pro.id,
        unit_amount: 1000,
        interval: 'month',
        lookup_key: 'pro_monthly',
      }),
    );
    this.add(
      'prices',
      price(at, {
        id: 'price_pro_yearly',
        product: pro.id,
        unit_amount: 9600,
        interval: 'year',
        lookup_key: 'pro_yearly',
      }),
    );
  }
}
