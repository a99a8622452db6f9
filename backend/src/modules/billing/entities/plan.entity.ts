import type { Opt } from '@mikro-orm/core';
import { Check, Entity, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, updatedAtColumn, uuidKey } from '../../../shared/database/columns.js';

export const BILLING_INTERVALS = ['month', 'year'] as const;
export type BillingInterval = (typeof BILLING_INTERVALS)[number];

/** A plan of the catalogue (decisions.md D13). */
@Entity({ tableName: 'subscription_plans' })
@Check({ name: 'subscription_plans_interval_check', expression: oneOf('billing_interval', BILLING_INTERVALS) })
@Check({ name: 'subscription_plans_price_check', expression: 'price_cents >= 0' })
export class Plan {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @Property({ type: 'text' })
  @Unique({ name: 'subscription_plans_code_unique' })
  code: string;

  @Property({ type: 'text' })
  name: string;

  @Property({ type: 'text', nullable: true })
  description?: string | null;

  /** US cents. */
  @Property({ type: 'integer' })
  priceCents: number;

  @Property({ type: 'text' })
  billingInterval: BillingInterval;

  @Property({ type: 'text', nullable: true })
  stripePriceId?: string | null;

  @Property({ type: 'json', nullable: true })
  features?: Record<string, unknown> | null;

  @Property({ type: 'boolean', default: true })
  isActive: Opt<boolean> = true;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...updatedAtColumn })
  updatedAt: Opt<Date>;
}
