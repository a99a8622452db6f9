import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../../shared/database/queries/columns.js';
import { CONTACT_TYPES, type ContactType, SUPPRESSION_REASONS, type SuppressionReason } from '../../../shared/enums.js';
import { EmailList } from './email-list.entity.js';

/** How a contact was added to the list. */
export const CONTACT_SOURCES = ['owner', 'import', 'public', 'admin'] as const;
export type ContactSource = (typeof CONTACT_SOURCES)[number];

/**
 * State of a pending contact's confirmation mail: due (to be sent), held (attested import), sent, none (never needed).
 */
export const OPT_IN_STATES = ['due', 'held', 'sent', 'none'] as const;
export type OptInState = (typeof OPT_IN_STATES)[number];

/** Evidence of consent. */
export interface ConsentEvidence {
  at: string;
  how: 'link' | 'admin' | 'attestation';
  ip?: string;
  userAgent?: string;
  form?: string;
  actor?: string;
}

/**
 * SQL expression of the time of a contact's newest event on the dashboard (list-activity.service.ts). An import is
 * shown as one event, so that adding an imported contact is no event of its own.
 */
export const lastEvent = (alias = ''): string =>
  `greatest(case when ${alias}import_id is null then ${alias}created_at end, case when (${alias}consent ->> 'how') is distinct from 'attestation' then ${alias}confirmed_at end, ${alias}unsubscribed_at)`;

/** One address on one list. The table keeps its original name; in code the entity is called Contact. */
@Entity({ tableName: 'subscriptions' })
@Check({ name: 'subscriptions_type_check', expression: oneOf('subscription_type', CONTACT_TYPES) })
@Check({ name: 'subscriptions_source_check', expression: oneOf('source', CONTACT_SOURCES) })
@Check({ name: 'subscriptions_opt_in_check', expression: oneOf('opt_in_state', OPT_IN_STATES) })
@Check({ name: 'subscriptions_suppressed_check', expression: oneOf('suppressed', SUPPRESSION_REASONS) })
@Unique({ name: 'subscriptions_list_email_unique', properties: ['emailListId', 'emailNorm'] })
@Index({ name: 'subscriptions_created_index', properties: ['createdAt', 'id'] })
@Index({
  name: 'subscriptions_all_pending_index',
  expression:
    'create index "subscriptions_all_pending_index" on "subscriptions" ("created_at", "id") where not confirmed',
})
@Index({ name: 'subscriptions_list_created_index', properties: ['emailListId', 'createdAt', 'id'] })
@Index({
  name: 'subscriptions_list_name_index',
  expression: `create index "subscriptions_list_name_index" on "subscriptions" ("email_list_id", coalesce("name", ''), "id")`,
})
@Index({ name: 'subscriptions_hash_index', properties: ['emailHash'] })
@Index({
  name: 'subscriptions_email_trigram',
  expression: 'create index "subscriptions_email_trigram" on "subscriptions" using gin ("email_norm" gin_trgm_ops)',
})
@Index({
  name: 'subscriptions_pending_index',
  expression:
    'create index "subscriptions_pending_index" on "subscriptions" ("email_list_id", "created_at", "id") where not confirmed',
})
@Index({
  name: 'subscriptions_confirmed_index',
  expression:
    'create index "subscriptions_confirmed_index" on "subscriptions" ("email_list_id", "created_at", "id") where confirmed',
})
@Index({
  name: 'subscriptions_left_index',
  expression: `create index "subscriptions_left_index" on "subscriptions" ("email_list_id", "created_at", "id") where suppressed in ('unsubscribed', 'complained')`,
})
@Index({
  name: 'subscriptions_bounced_index',
  expression: `create index "subscriptions_bounced_index" on "subscriptions" ("email_list_id", "confirmed") where suppressed = 'bounced'`,
})
@Index({
  name: 'subscriptions_opt_in_turn',
  expression: `create index "subscriptions_opt_in_turn" on "subscriptions" ("email_list_id", coalesce("opt_in_source", "source"), "opt_in_due_at", "id") where opt_in_state = 'due'`,
})
@Index({
  name: 'subscriptions_single_index',
  expression:
    'create index "subscriptions_single_index" on "subscriptions" ("email_list_id", "created_at") where import_id is null',
})
@Index({
  name: 'subscriptions_confirmed_at_index',
  expression: `create index "subscriptions_confirmed_at_index" on "subscriptions" ("email_list_id", "confirmed_at") where confirmed_at is not null and (consent ->> 'how') is distinct from 'attestation'`,
})
@Index({
  name: 'subscriptions_unsubscribed_at_index',
  expression:
    'create index "subscriptions_unsubscribed_at_index" on "subscriptions" ("email_list_id", "unsubscribed_at") where unsubscribed_at is not null',
})
@Index({
  name: 'subscriptions_last_event_index',
  expression: `create index "subscriptions_last_event_index" on "subscriptions" ("email_list_id", (${lastEvent()})) where ${lastEvent()} is not null`,
})
@Index({
  name: 'subscriptions_import_index',
  expression: 'create index "subscriptions_import_index" on "subscriptions" ("import_id") where import_id is not null',
})
@Index({
  name: 'subscriptions_profile_index',
  expression:
    'create index "subscriptions_profile_index" on "subscriptions" ("profile_id") where profile_id is not null',
})
@Index({
  name: 'subscriptions_unprofiled_index',
  expression:
    'create index "subscriptions_unprofiled_index" on "subscriptions" ("email_list_id", "id") where profile_id is null',
})
export class Contact {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  /** The address as typed. */
  @Property({ type: 'text' })
  email: string;

  /** Normalised address; unique within the list. */
  @Property({ type: 'text' })
  emailNorm: string;

  /** SHA-256 of the normalised address, for joins with suppressions. */
  @Property({ type: 'blob', columnType: 'bytea' })
  emailHash: Uint8Array;

  @Property({ type: 'text', nullable: true })
  name?: string | null;

  /** Given by the source, or derived from the name when the contact is written; null if the name has no such part. */
  @Property({ type: 'text', nullable: true })
  firstName?: string | null;

  @Property({ type: 'text', nullable: true })
  lastName?: string | null;

  @Property({ type: 'text' })
  subscriptionType: ContactType;

  @Property({ type: 'boolean', default: false })
  confirmed: Opt<boolean> = false;

  /** Hash of the token in the confirmation mail; null before the mail is composed. */
  @Property({ type: 'text', nullable: true })
  @Index({
    name: 'subscriptions_confirmation_index',
    expression:
      'create unique index "subscriptions_confirmation_index" on "subscriptions" ("confirmation_token") where confirmation_token is not null',
  })
  confirmationToken?: string | null;

  @Property({ ...timestamp, nullable: true })
  confirmationTokenExpires?: Date | null;

  /** Stored in plain text, because every mail contains it. */
  @Property({ type: 'text' })
  @Unique({ name: 'subscriptions_unsubscribe_unique' })
  unsubscribeToken: string;

  @ManyToOne(() => EmailList, { mapToPk: true, fieldName: 'email_list_id', deleteRule: 'cascade' })
  emailListId: string;

  @Property({ type: 'text', default: 'owner' })
  source: Opt<ContactSource> = 'owner';

  @Property({ type: 'text', default: 'due' })
  optInState: Opt<OptInState> = 'due';

  /** Earliest time of the confirmation mail; throttles postpone it. */
  @Property({ ...timestamp, defaultRaw: 'now()' })
  optInDueAt: Opt<Date>;

  /**
   * Requester of the due mail, if it is not the contact's own source: a visitor who entered an address that is already
   * on the list.
   */
  @Property({ type: 'text', nullable: true })
  optInSource?: ContactSource | null;

  /** Contact type that the visitor in `optInSource` chose; applied only on confirmation. */
  @Property({ type: 'text', nullable: true })
  optInType?: ContactType | null;

  @Property({ ...timestamp, nullable: true })
  confirmationSentAt?: Date | null;

  /** Requester and contact type that the last confirmation mail states; its link confirms exactly these. */
  @Property({ type: 'text', nullable: true })
  confirmationSource?: ContactSource | null;

  @Property({ type: 'text', nullable: true })
  confirmationType?: ContactType | null;

  /** When the owner resent the confirmation mail, which is possible once. */
  @Property({ ...timestamp, nullable: true })
  confirmationResentAt?: Date | null;

  @Property({ ...timestamp, nullable: true })
  confirmedAt?: Date | null;

  @Property({ ...timestamp, nullable: true })
  unsubscribedAt?: Date | null;

  /** Copy of the reason of a suppression that applies on this list; the suppressions table is authoritative. */
  @Property({ type: 'text', nullable: true })
  suppressed?: SuppressionReason | null;

  /** True for a contact confirmed by attestation until a send has reached it; that message introduces the sender. */
  @Property({ type: 'boolean', default: false })
  introductionDue: Opt<boolean> = false;

  @Property({ type: 'uuid', nullable: true })
  importId?: string | null;

  @Property({ type: 'json', nullable: true })
  consent?: ConsentEvidence | null;

  /** The account's profile of this address; null on the default list, and for older contacts until the backfill. */
  @Property({ type: 'uuid', nullable: true })
  profileId?: string | null;

  /** Registrable domain of the address; null for free-mail domains. */
  @Property({ type: 'text', nullable: true })
  companyDomain?: string | null;

  /** Values of the further columns of an imported file, by label. */
  @Property({ type: 'json', nullable: true })
  attributes?: Record<string, string> | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}

/** A contact removed moments ago, kept so that the removal can be undone. */
@Entity({ tableName: 'removed_contacts' })
export class RemovedContact {
  /** Id of the removed contact. */
  @PrimaryKey({ type: 'uuid' })
  id: string;

  @ManyToOne(() => EmailList, {
    mapToPk: true,
    fieldName: 'email_list_id',
    deleteRule: 'cascade',
    index: 'removed_contacts_list_index',
  })
  emailListId: string;

  @Property({ type: 'blob', columnType: 'bytea' })
  @Index({ name: 'removed_contacts_hash_index' })
  emailHash: Uint8Array;

  /** The contact's complete row. */
  @Property({ type: 'json' })
  contact: Record<string, unknown>;

  @Property({ ...createdAtColumn })
  @Index({ name: 'removed_contacts_removed_index' })
  removedAt: Opt<Date>;
}
