import type { Opt } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, timestamp, updatedAtColumn, uuidKey } from '../../../shared/database/columns.js';
import { User } from '../../auth/index.js';
import { ReferralInvite } from '../../referrals/index.js';
import { Plan } from './plan.entity.js';

/** A paid term of a user (the bare word "subscription" is not used for it in code). */
@Entity({ tableName: 'user_subscriptions' })
export class PlanSubscription {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  /** Null once the account is gone: the row stays until its term is ended at Stripe. */
  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', nullable: true, deleteRule: 'set null', index: 'user_subscriptions_user_index' })
  userId?: string | null;

  /** Null for a price that is none of ours: it grants nothing. */
  @ManyToOne(() => Plan, { mapToPk: true, fieldName: 'plan_id', nullable: true })
  planId?: string | null;

  @Property({ type: 'text', nullable: true, index: 'user_subscriptions_customer_index' })
  stripeCustomerId?: string | null;

  @Property({ type: 'text', nullable: true })
  @Unique({ name: 'user_subscriptions_stripe_unique' })
  stripeSubscriptionId?: string | null;

  /** Stripe's word, always written: the default of product.md must never decide about access. */
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

  /** When Stripe made it: the newest of several terms counts. */
  @Property({ ...timestamp, nullable: true })
  startedAt?: Date | null;

  @ManyToOne(() => Plan, { mapToPk: true, fieldName: 'upgraded_from_plan_id', nullable: true, deleteRule: 'set null' })
  upgradedFromPlanId?: string | null;

  @ManyToOne(() => ReferralInvite, { mapToPk: true, fieldName: 'referral_invite_id', nullable: true, deleteRule: 'set null' })
  referralInviteId?: string | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...updatedAtColumn })
  updatedAt: Opt<Date>;
}
