import type { Opt } from '@mikro-orm/core';
import { Check, Entity, PrimaryKey, Property, Unique, ManyToOne } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, updatedAtColumn, uuidKey, timestamp } from '../../shared/database/queries/columns.js';
import { User } from '../auth/index.js';
import { ReferralInvite } from '../referrals/index.js';

export const BILLING_INTERVALS = ['month', 'year'] as const;
export type BillingInterval = (typeof BILLING_INTERVALS)[number];

/** A plan of the catalogue. */
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

  /** In US cents. */
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

/** A paid term of a user. In code the word "subscription" alone means a contact's membership of a list. */
@Entity({ tableName: 'user_subscriptions' })
export class PlanSubscription {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  /** Null after the account was deleted; the row stays until the term has ended at Stripe. */
  @ManyToOne(() => User, {
    mapToPk: true,
    fieldName: 'user_id',
    nullable: true,
    deleteRule: 'set null',
    index: 'user_subscriptions_user_index',
  })
  userId?: string | null;

  /** Null for an unknown price, which grants nothing. */
  @ManyToOne(() => Plan, { mapToPk: true, fieldName: 'plan_id', nullable: true })
  planId?: string | null;

  @Property({ type: 'text', nullable: true, index: 'user_subscriptions_customer_index' })
  stripeCustomerId?: string | null;

  @Property({ type: 'text', nullable: true })
  @Unique({ name: 'user_subscriptions_stripe_unique' })
  stripeSubscriptionId?: string | null;

  /** Stripe's status; always written explicitly, because the column's default must never grant access. */
  @Property({ type: 'text', default: 'active' })
  status: Opt<string> = 'active';

  @Property({ ...timestamp, nullable: true })
  currentPeriodStart?: Date | null;

  @Property({ ...timestamp, nullable: true })
  currentPeriodEnd?: Date | null;

  @Property({ type: 'boolean', default: false })
  cancelAtPeriodEnd: Opt<boolean> = false;

  @Property({ ...timestamp, nullable: true })
  canceledAt?: Date | null;

  /** Creation time at Stripe. Of several terms with the same status, the newest counts. */
  @Property({ ...timestamp, nullable: true })
  startedAt?: Date | null;

  @ManyToOne(() => Plan, { mapToPk: true, fieldName: 'upgraded_from_plan_id', nullable: true, deleteRule: 'set null' })
  upgradedFromPlanId?: string | null;

  @ManyToOne(() => ReferralInvite, {
    mapToPk: true,
    fieldName: 'referral_invite_id',
    nullable: true,
    deleteRule: 'set null',
  })
  referralInviteId?: string | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...updatedAtColumn })
  updatedAt: Opt<Date>;
}

/** A processed Stripe event; repeated deliveries are ignored. */
@Entity({ tableName: 'stripe_events' })
export class StripeEvent {
  @PrimaryKey({ type: 'text' })
  id: string;

  @Property({ type: 'text' })
  type: string;

  @Property({ type: 'text', nullable: true })
  customerId?: string | null;

  @Property({ ...createdAtColumn })
  receivedAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  processedAt?: Date | null;

  /** Result of processing: `synced` or `unknown_customer`. */
  @Property({ type: 'text', nullable: true })
  outcome?: string | null;
}

export const billingEntities = [Plan, PlanSubscription, StripeEvent];
