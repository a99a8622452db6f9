import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../../shared/database/columns.js';
import { CONTACT_TYPES, type ContactType } from '../../../shared/words/contact-type.js';
import { SUPPRESSION_REASONS, type SuppressionReason } from '../../../shared/words/suppression.js';
import { EmailList } from './email-list.entity.js';

/** How a contact came onto the list. */
export const CONTACT_SOURCES = ['owner', 'import', 'public', 'admin'] as const;
export type ContactSource = (typeof CONTACT_SOURCES)[number];

/** Where the confirmation mail of a pending contact stands: due (to be sent), held (attested batch), sent, none (never owed). */
export const OPT_IN_STATES = ['due', 'held', 'sent', 'none'] as const;
export type OptInState = (typeof OPT_IN_STATES)[number];

/** Evidence of consent kept with the contact (decisions.md D15). */
export interface ConsentEvidence {
  at: string;
  how: 'link' | 'admin' | 'attestation';
  ip?: string;
  userAgent?: string;
  form?: string;
  actor?: string;
}

/** When the newest thing happened to a contact that the dashboard tells (list-activity.service.ts): imports are told as one, and confirm nobody. */
export const lastEvent = (alias = ''): string =>
  `greatest(case when ${alias}import_id is null then ${alias}created_at end, case when (${alias}consent ->> 'how') is distinct from 'attestation' then ${alias}confirmed_at end, ${alias}unsubscribed_at)`;

/** One address on one list. The table's name is the specification's; the word is Contact (architecture.md, Words). */
@Entity({ tableName: 'subscriptions' })
@Check({ name: 'subscriptions_type_check', expression: oneOf('subscription_type', CONTACT_TYPES) })
@Check({ name: 'subscriptions_source_check', expression: oneOf('source', CONTACT_SOURCES) })
@Check({ name: 'subscriptions_opt_in_check', expression: oneOf('opt_in_state', OPT_IN_STATES) })
@Check({ name: 'subscriptions_suppressed_check', expression: oneOf('suppressed', SUPPRESSION_REASONS) })
@Unique({ name: 'subscriptions_list_email_unique', properties: ['emailListId', 'emailNorm'] })
@Index({ name: 'subscriptions_created_index', properties: ['createdAt', 'id'] })
@Index({ name: 'subscriptions_all_pending_index', expression: 'create index "subscriptions_all_pending_index" on "subscriptions" ("created_at", "id") where not confirmed' })
@Index({ name: 'subscriptions_list_created_index', properties: ['emailListId', 'createdAt', 'id'] })
@Index({ name: 'subscriptions_list_name_index', expression: `create index "subscriptions_list_name_index" on "subscriptions" ("email_list_id", coalesce("name", ''), "id")` })
@Index({ name: 'subscriptions_hash_index', properties: ['emailHash'] })
@Index({ name: 'subscriptions_email_trigram', expression: 'create index "subscriptions_email_trigram" on "subscriptions" using gin ("email_norm" gin_trgm_ops)' })
@Index({ name: 'subscriptions_pending_index', expression: 'create index "subscriptions_pending_index" on "subscriptions" ("email_list_id", "created_at", "id") where not confirmed' })
@Index({ name: 'subscriptions_confirmed_index', expression: 'create index "subscriptions_confirmed_index" on "subscriptions" ("email_list_id", "created_at", "id") where confirmed' })
@Index({ name: 'subscriptions_left_index', expression: `create index "subscriptions_left_index" on "subscriptions" ("email_list_id", "created_at", "id") where suppressed in ('unsubscribed', 'complained')` })
@Index({ name: 'subscriptions_opt_in_turn', expression: `create index "subscriptions_opt_in_turn" on "subscriptions" ("email_list_id", coalesce("opt_in_source", "source"), "opt_in_due_at", "id") where opt_in_state = 'due'` })
@Index({ name: 'subscriptions_single_index', expression: 'create index "subscriptions_single_index" on "subscriptions" ("email_list_id", "created_at") where import_id is null' })
@Index({ name: 'subscriptions_confirmed_at_index', expression: `create index "subscriptions_confirmed_at_index" on "subscriptions" ("email_list_id", "confirmed_at") where confirmed_at is not null and (consent ->> 'how') is distinct from 'attestation'` })
@Index({ name: 'subscriptions_unsubscribed_at_index', expression: 'create index "subscriptions_unsubscribed_at_index" on "subscriptions" ("email_list_id", "unsubscribed_at") where unsubscribed_at is not null' })
@Index({ name: 'subscriptions_last_event_index', expression: `create index "subscriptions_last_event_index" on "subscriptions" ("email_list_id", (${lastEvent()})) where ${lastEvent()} is not null` })
@Index({ name: 'subscriptions_import_index', expression: 'create index "subscriptions_import_index" on "subscriptions" ("import_id") where import_id is not null' })
export class Contact {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  /** As typed. */
  @Property({ type: 'text' })
  email: string;

  /** Normalised (decisions.md D15); one per list. */
  @Property({ type: 'text' })
  emailNorm: string;

  /** SHA-256 of the normalised address: what suppressions are joined by. */
  @Property({ type: 'blob', columnType: 'bytea' })
  emailHash: Uint8Array;

  @Property({ type: 'text', nullable: true })
  name?: string | null;

  @Property({ type: 'text' })
  subscriptionType: ContactType;

  @Property({ type: 'boolean', default: false })
  confirmed: Opt<boolean> = false;

  /** Hash of the mailed confirmation token; null until the mail is composed. */
  @Property({ type: 'text', nullable: true })
  @Index({ name: 'subscriptions_confirmation_index', expression: 'create unique index "subscriptions_confirmation_index" on "subscriptions" ("confirmation_token") where confirmation_token is not null' })
  confirmationToken?: string | null;

  @Property({ ...timestamp, nullable: true })
  confirmationTokenExpires?: Date | null;

  /** Shown again in every mail, so kept as it is. */
  @Property({ type: 'text' })
  @Unique({ name: 'subscriptions_unsubscribe_unique' })
  unsubscribeToken: string;

  @ManyToOne(() => EmailList, { mapToPk: true, fieldName: 'email_list_id', deleteRule: 'cascade' })
  emailListId: string;

  @Property({ type: 'text', default: 'owner' })
  source: Opt<ContactSource> = 'owner';

  @Property({ type: 'text', default: 'due' })
  optInState: Opt<OptInState> = 'due';

  /** Not before this time goes the confirmation mail out (throttles move it). */
  @Property({ ...timestamp, defaultRaw: 'now()' })
  optInDueAt: Opt<Date>;

  /** Who asked for the mail that is due, where that is not how the contact came onto the list: a visitor who entered an address that is there. */
  @Property({ type: 'text', nullable: true })
  optInSource?: ContactSource | null;

  /** What that visitor wants to receive; it becomes the contact's type with the confirmation and not before. */
  @Property({ type: 'text', nullable: true })
  optInType?: ContactType | null;

  @Property({ ...timestamp, nullable: true })
  confirmationSentAt?: Date | null;

  /** What the last confirmation mail said: who asked for it, and for which type. Its link agrees to this and nothing else. */
  @Property({ type: 'text', nullable: true })
  confirmationSource?: ContactSource | null;

  @Property({ type: 'text', nullable: true })
  confirmationType?: ContactType | null;

  /** When the owner had the confirmation sent again; once only (decisions.md D18). */
  @Property({ ...timestamp, nullable: true })
  confirmationResentAt?: Date | null;

  @Property({ ...timestamp, nullable: true })
  confirmedAt?: Date | null;

  @Property({ ...timestamp, nullable: true })
  unsubscribedAt?: Date | null;

  /** Set when the address is suppressed for this list's owner; the suppressions table decides, this shows it. */
  @Property({ type: 'text', nullable: true })
  suppressed?: SuppressionReason | null;

  /** True for a contact confirmed by attestation that no send has reached yet (decisions.md D46). */
  @Property({ type: 'boolean', default: false })
  introductionDue: Opt<boolean> = false;

  @Property({ type: 'uuid', nullable: true })
  importId?: string | null;

  @Property({ type: 'json', nullable: true })
  consent?: ConsentEvidence | null;

  /** Further columns of an imported file. */
  @Property({ type: 'json', nullable: true })
  attributes?: Record<string, string> | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
