import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../shared/database/queries/columns.js';
import { User } from '../auth/index.js';

export const INVITE_STATUSES = ['pending', 'accepted', 'expired'] as const;
export type InviteStatus = (typeof INVITE_STATUSES)[number];

/** An invite mailed to one address (see decisions.md: referral-invites). */
@Entity({ tableName: 'referral_invites' })
@Check({ name: 'referral_invites_status_check', expression: oneOf('status', INVITE_STATUSES) })
@Index({ name: 'referral_invites_inviter_index', properties: ['inviterUserId', 'sentAt'] })
@Index({ name: 'referral_invites_address_index', properties: ['inviteeHash', 'sentAt'] })
@Index({
  name: 'referral_invites_pending_index',
  expression: `create index "referral_invites_pending_index" on "referral_invites" ("expires_at") where status = 'pending'`,
})
export class ReferralInvite {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'inviter_user_id', deleteRule: 'cascade' })
  inviterUserId: string;

  @Property({ type: 'text' })
  inviteeEmail: string;

  /** SHA-256 of the normalised address. */
  @Property({ type: 'blob', columnType: 'bytea' })
  inviteeHash: Uint8Array;

  /** Hash of the token in the mail. */
  @Property({ type: 'text' })
  @Unique({ name: 'referral_invites_token_unique' })
  token: string;

  @Property({ type: 'text', default: 'pending' })
  status: Opt<InviteStatus> = 'pending';

  @Property({ ...createdAtColumn })
  sentAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  acceptedAt?: Date | null;

  @Property({ ...timestamp })
  expiresAt: Date;
}

export const CONVERSION_TYPES = ['signup', 'paid'] as const;
export type ConversionType = (typeof CONVERSION_TYPES)[number];

/** A sign-up or first payment caused by a referral; one per referred account and type. */
@Entity({ tableName: 'referral_conversions' })
@Check({ name: 'referral_conversions_type_check', expression: oneOf('conversion_type', CONVERSION_TYPES) })
@Check({ name: 'referral_conversions_self_check', expression: 'referrer_user_id <> referred_user_id' })
@Unique({ name: 'referral_conversions_once', properties: ['referredUserId', 'conversionType'] })
export class ReferralConversion {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, {
    mapToPk: true,
    fieldName: 'referrer_user_id',
    deleteRule: 'cascade',
    index: 'referral_conversions_referrer_index',
  })
  referrerUserId: string;

  @ManyToOne(() => ReferralInvite, { mapToPk: true, fieldName: 'invite_id', nullable: true, deleteRule: 'set null' })
  inviteId?: string | null;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'referred_user_id', deleteRule: 'cascade' })
  referredUserId: string;

  @Property({ type: 'text' })
  conversionType: ConversionType;

  @Property({ ...createdAtColumn })
  convertedAt: Opt<Date>;

  @Property({ type: 'json', nullable: true })
  metadata?: Record<string, unknown> | null;
}

export const CREDIT_STATES = ['scheduled', 'credited', 'consumed', 'revoked'] as const;
export type CreditState = (typeof CREDIT_STATES)[number];

/**
 * One month that a referrer earned: a span of Pro, or credit on the Stripe balance (see decisions.md: referral-credit).
 */
@Entity({ tableName: 'referral_credits' })
@Check({ name: 'referral_credits_state_check', expression: oneOf('state', CREDIT_STATES) })
@Check({
  name: 'referral_credits_span_check',
  expression: `state <> 'scheduled' or (starts_at is not null and ends_at > starts_at)`,
})
@Check({
  name: 'referral_credits_balance_check',
  expression: `state <> 'credited' or (balance_txn_id is not null and cents > 0)`,
})
@Index({ name: 'referral_credits_user_index', properties: ['userId', 'earnedAt'] })
export class ReferralCredit {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  /** The `paid` conversion that earned it; null after the referred account was deleted. */
  @ManyToOne(() => ReferralConversion, {
    mapToPk: true,
    fieldName: 'conversion_id',
    nullable: true,
    deleteRule: 'set null',
  })
  @Unique({ name: 'referral_credits_conversion_unique' })
  conversionId?: string | null;

  /** First invoice of the referred person; its refund revokes the month. */
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

  /** Number of balance transactions made for this month; part of the next idempotency key. */
  @Property({ type: 'integer', default: 0 })
  n: Opt<number> = 0;

  @Property({ type: 'text', nullable: true })
  reason?: string | null;

  @Property({ ...createdAtColumn })
  earnedAt: Opt<Date>;
}

export const referralsEntities = [ReferralInvite, ReferralConversion, ReferralCredit];
