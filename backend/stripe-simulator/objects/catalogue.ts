import type Stripe from 'stripe';
import { newId } from '../state.ts';
import type { Wire } from '../wire.ts';

export type Metadata = Record<string, string>;

export function product(at: number, name: string, id = newId('prod'), metadata: Metadata = {}): Wire<Stripe.Product> {
  return {
    id,
    object: 'product',
    active: true,
    created: at,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata,
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: at,
    url: null,
  };
}

export interface PriceGiven {
  id?: string;
  product: string;
  unit_amount: number;
  interval: 'month' | 'year';
  lookup_key?: string | undefined;
  metadata?: Metadata;
}

export function price(at: number, given: PriceGiven): Wire<Stripe.Price> {
  return {
    id: given.id ?? newId('price'),
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: at,
    currency: 'usd',
    custom_unit_amount: null,
    livemode: false,
    lookup_key: given.lookup_key ?? null,
    metadata: given.metadata ?? {},
    nickname: null,
    product: given.product,
    recurring: {
      interval: given.interval,
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: given.unit_amount,
    unit_amount_decimal: String(given.unit_amount),
  };
}

export const intervalOf = (of: Wire<Stripe.Price>): string => of.recurring?.interval ?? 'month';

function planOf(of: Wire<Stripe.Price>): Wire<Stripe.Plan> {
  return {
    id: of.id,
    object: 'plan',
    active: of.active,
    amount: of.unit_amount,
    amount_decimal: of.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: of.created,
    currency: of.currency,
    interval: intervalOf(of),
    interval_count: 1,
    livemode: false,
    metadata: of.metadata,
    meter: null,
    nickname: null,
    product: of.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}

export function item(
  at: number,
  subscription: string,
  of: Wire<Stripe.Price>,
  start: number,
  end: number,
): Wire<Stripe.SubscriptionItem> {
  return {
    id: newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: at,
    current_period_end: end,
    current_period_start: start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(of),
    price: of,
    quantity: 1,
    subscription,
    tax_rates: [],
  };
}

export function repriced(
  of: Wire<Stripe.SubscriptionItem>,
  to: Wire<Stripe.Price>,
  start: number,
  end: number,
): Wire<Stripe.SubscriptionItem> {
  return { ...of, plan: planOf(to), price: to, current_period_start: start, current_period_end: end };
}
