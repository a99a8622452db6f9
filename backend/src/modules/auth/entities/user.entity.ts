import { Check, Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import type { Opt } from '@mikro-orm/core';
import { createdAtColumn, oneOf, timestamp, updatedAtColumn, uuidKey } from '../../../shared/database/columns.js';
import { ROLES, type Role } from '../../../shared/words/role.js';

/** A person with an account. Plan fields are the result that billing writes through auth's face. */
@Entity({ tableName: 'users' })
@Check({ name: 'users_role_check', expression: oneOf('role', ROLES) })
@Check({ name: 'users_daily_limit_check', expression: `custom_daily_limit ~ '^[0-9]+$'` })
@Check({ name: 'users_credits_check', expression: `referral_credits_months ~ '^[0-9]+$'` })
@Index({ name: 'users_referral_refs_index', expression: `create index "users_referral_refs_index" on "users" ("created_at") where referral_refs is not null` })
export class User {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  /** As typed, shown to people. */
  @Property({ type: 'text' })
  email: string;

  /** Normalised address (decisions.md D15); unique. */
  @Property({ type: 'text' })
  @Unique({ name: 'users_email_unique' })
  emailNorm: string;

  /** SHA-256 of the mailbox behind the address, set by the database; null once the account is closed. Limits of Free count per mailbox. */
  @Property({ type: 'blob', columnType: 'bytea', nullable: true, lazy: true, index: 'users_mailbox_index' })
  mailboxHash?: Uint8Array | null;

  @Property({ type: 'text' })
  firstName: string;

  @Property({ type: 'text' })
  lastName: string;

  @Property({ type: 'text', nullable: true })
  agencyName?: string | null;

  @Property({ type: 'text', nullable: true })
  profileImageUrl?: string | null;

  @Property({ type: 'text', default: 'recruiter' })
  role: Opt<Role> = 'recruiter';

  /** IANA zone in which the user's day is counted (decisions.md D11). */
  @Property({ type: 'text', default: 'UTC' })
  timeZone: Opt<string> = 'UTC';

  @Property({ type: 'text', default: 'free' })
  tier: Opt<string> = 'free';

  @Property({ type: 'boolean', default: false })
  isAdmin: Opt<boolean> = false;

  @Property({ type: 'text', nullable: true })
  customDailyLimit?: string | null;

  @Property({ type: 'text' })
  @Unique({ name: 'users_referral_code_unique' })
  referralCode: string;

  /** Who sent this person, as told at registration: codes and hashes of invite tokens; null once referrals has read them. */
  @Property({ type: 'json', nullable: true })
  referralRefs?: string[] | null;

  @Property({ type: 'text', nullable: true })
  @Unique({ name: 'users_stripe_customer_unique' })
  stripeCustomerId?: string | null;

  @Property({ type: 'text', nullable: true })
  stripeSubscriptionId?: string | null;

  @Property({ type: 'text', nullable: true })
  subscriptionStatus?: string | null;

  @Property({ ...timestamp, nullable: true })
  subscriptionEndDate?: Date | null;

  @Property({ type: 'text', default: '0' })
  referralCreditsMonths: Opt<string> = '0';

  /** Until when the paid plan grants Pro, its grace included (guide/billing.md §5); billing writes it, as it does the next four. */
  @Property({ ...timestamp, nullable: true })
  planAccessUntil?: Date | null;

  /** From when, and until when, earned referral months grant Pro. */
  @Property({ ...timestamp, nullable: true })
  referralAccessFrom?: Date | null;

  @Property({ ...timestamp, nullable: true })
  referralAccessUntil?: Date | null;

  /** When each scheduled month ends, ISO times: those to come count as free months. */
  @Property({ type: 'json', defaultRaw: `'[]'` })
  referralMonthEnds: Opt<string[]> = [];

  /** Months that wait as money on the customer's balance. */
  @Property({ type: 'integer', default: 0 })
  referralMonthsCredited: Opt<number> = 0;

  /** Set while the ops team has suspended the account (decisions.md D42). */
  @Property({ ...timestamp, nullable: true })
  suspendedAt?: Date | null;

  /** Set once the person has deleted the account; what it holds is erased right after, or by the next sweep. */
  @Property({ ...timestamp, nullable: true })
  @Index({ name: 'users_deleted_index', expression: `create index "users_deleted_index" on "users" ("deleted_at") where deleted_at is not null` })
  deletedAt?: Date | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...updatedAtColumn })
  updatedAt: Opt<Date>;
}
