import { Check, Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import type { Opt } from '@mikro-orm/core';
import {
  createdAtColumn,
  oneOf,
  timestamp,
  updatedAtColumn,
  uuidKey,
} from '../../../shared/database/queries/columns.js';
import { ROLES, type Role } from '../../../shared/enums.js';

/** A person with an account. The billing module writes the plan fields through auth's index.ts. */
@Entity({ tableName: 'users' })
@Check({ name: 'users_role_check', expression: oneOf('role', ROLES) })
@Check({ name: 'users_daily_limit_check', expression: `custom_daily_limit ~ '^[0-9]+$'` })
@Check({ name: 'users_credits_check', expression: `referral_credits_months ~ '^[0-9]+$'` })
@Index({
  name: 'users_referral_refs_index',
  expression: `create index "users_referral_refs_index" on "users" ("created_at") where referral_refs is not null`,
})
export class User {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  /** Address as typed, for display. */
  @Property({ type: 'text' })
  email: string;

  /** Normalised address; unique. */
  @Property({ type: 'text' })
  @Unique({ name: 'users_email_unique' })
  emailNorm: string;

  /**
   * SHA-256 of the mailbox; the database sets it. Null for a closed account. The limits of the Free plan apply per
   * mailbox.
   */
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

  /** IANA time zone of the user's day, to which the daily limit refers. */
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

  /**
   * Referral references from the registration: referral codes, and hashes of invite tokens. Null once they were
   * processed.
   */
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

  /** Until when the paid plan grants Pro, including the grace period. Written by billing, like the next four fields. */
  @Property({ ...timestamp, nullable: true })
  planAccessUntil?: Date | null;

  /** Start of the Pro access from earned referral months; the next field is its end. */
  @Property({ ...timestamp, nullable: true })
  referralAccessFrom?: Date | null;

  @Property({ ...timestamp, nullable: true })
  referralAccessUntil?: Date | null;

  /** End times of the free months that were scheduled (ISO). A month whose end lies in the future counts as unused. */
  @Property({ type: 'json', defaultRaw: `'[]'` })
  referralMonthEnds: Opt<string[]> = [];

  /** Number of free months that were converted to credit on the Stripe balance. */
  @Property({ type: 'integer', default: 0 })
  referralMonthsCredited: Opt<number> = 0;

  /** When an admin suspended the account; null if it is not suspended. */
  @Property({ ...timestamp, nullable: true })
  suspendedAt?: Date | null;

  /** When the user deleted the account. Its data is erased right after, or by the next sweep. */
  @Property({ ...timestamp, nullable: true })
  @Index({
    name: 'users_deleted_index',
    expression: `create index "users_deleted_index" on "users" ("deleted_at") where deleted_at is not null`,
  })
  deletedAt?: Date | null;

  /** When the user dismissed the checklist for new accounts. */
  @Property({ ...timestamp, nullable: true, lazy: true })
  onboardingDismissedAt?: Date | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...updatedAtColumn })
  updatedAt: Opt<Date>;
}
