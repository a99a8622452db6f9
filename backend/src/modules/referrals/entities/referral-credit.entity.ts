import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../../shared/database/columns.js';
import { User } from '../../auth/index.js';
import { ReferralConversion } from './referral-conversion.entity.js';

export const CREDIT_STATES = ['scheduled', 'credited', 'consumed', 'revoked'] as const;
export type CreditState = (typeof CREDIT_STATES)[number];

/** One free month that a referrer earned (guide/billing.md §5): a span of Pro, or money on the Stripe balance. */
@Entity({ tableName: 'referral_credits' })
@Check({ name: 'referral_credits_state_check', expression: oneOf('state', CREDIT_STATES) })
@Check({ name: 'referral_credits_span_check', expression: `state <> 'scheduled' or (starts_at is not null and ends_at > starts_at)` })
@Check({ name: 'referral_credits_balance_check', expression: `state <> 'credited' or (balance_txn_id is not null and cents > 0)` })
@Index({ name: 'referral_credits_user_index', properties: ['userId', 'earnedAt'] })
export class ReferralCredit {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  /** The `paid` conversion that earned it; null once the referred account is gone. */
  @ManyToOne(() => ReferralConversion, { mapToPk: true, fieldName: 'conversion_id', nullable: true, deleteRule: 'set null' })
  @Unique({ name: 'referral_credits_conversion_unique' })
  conversionId?: string | null;

  /** The referred person's first invoice: a refund of it takes the month back. */
  @Property({ type: 'text' })
  @Unique({ name: 'referral_credits_invoice_unique' })
  sourceInvoiceId: string;

  @Property({ type: 'text' })
  state: CreditState;

  @Property({ ...timestamp, nullable: true })
  startsAt?: Date | null;

  @Property({ ...timestamp, nullable: true })
  endsAt?: Date | null;

  @Property({ type: 'text', nullable: true })
  balanceTxnId?: string | null;

  @Property({ type: 'integer', nullable: true })
  cents?: number | null;

  /** Balance transactions made for this month so far; part of the next one's idempotency key. */
  @Property({ type: 'integer', default: 0 })
  n: Opt<number> = 0;

  @Property({ type: 'text', nullable: true })
  reason?: string | null;

  @Property({ ...createdAtColumn })
  earnedAt: Opt<Date>;
}
