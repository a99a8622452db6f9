import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Check, Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp } from '../../../shared/database/queries/columns.js';

/**
 * Who caused a confirmation mail: the list's owner (or an admin, for the default list), or a visitor of the list's
 * public page.
 */
export const ASK_PATHS = ['own', 'public'] as const;
export type AskPath = (typeof ASK_PATHS)[number];

/**
 * A confirmation mail to a mailbox for a list. Stores hashes instead of references, so that the record survives the
 * deletion of contact, list or account: the record protects the person who was asked.
 */
@Entity({ tableName: 'outreach_asks' })
@Check({ name: 'outreach_asks_path_check', expression: oneOf('path', ASK_PATHS) })
@Index({ name: 'outreach_asks_recipient_index', properties: ['recipient', 'sender'] })
export class OutreachAsk {
  /** Id of the system mail. */
  @PrimaryKey({ type: 'uuid' })
  id: string;

  /** Mailbox hash of the list's owner; null for the default list. */
  @Property({ type: 'blob', columnType: 'bytea', nullable: true })
  sender?: Uint8Array | null;

  /** Mailbox hash of the recipient. */
  @Property({ type: 'blob', columnType: 'bytea' })
  recipient: Uint8Array;

  @Property({ type: 'uuid' })
  emailListId: string;

  @Property({ type: 'text' })
  path: AskPath;

  /** Whether the person had unsubscribed from the sender or the default list before. */
  @Property({ type: 'boolean', default: false })
  afterLeaving: Opt<boolean> = false;

  /** UTC day of `outreach_days` on which the mail is counted. */
  @Property({ type: 'date' })
  day: string;

  @Property({ ...createdAtColumn })
  askedAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  confirmedAt?: Date | null;

  @Property({ ...timestamp, nullable: true })
  bouncedAt?: Date | null;
}

const count = { type: 'integer', default: 0 } as const;

/**
 * Mails to strangers that the accounts of one mailbox caused on one UTC day, by requester, and their outcome. All
 * accounts of a mailbox, which is stored as a hash, share one row. The row outlives account and list; it is kept while
 * senders are judged by it.
 */
@Entity({ tableName: 'outreach_days' })
@Check({ name: 'outreach_days_counts_check', expression: 'own_sent >= 0 and public_sent >= 0 and invites_sent >= 0' })
export class OutreachDay {
  /** SHA-256 of the account's mailbox (`users.mailbox_hash`). */
  @PrimaryKey({ type: 'blob', columnType: 'bytea', autoincrement: false })
  sender: Uint8Array;

  @PrimaryKey({ type: 'date' })
  @Index({ name: 'outreach_days_day_index' })
  day: string;

  /** Confirmation mails to people added by the owner. */
  @Property({ ...count })
  ownSent: Opt<number> = 0;

  /** Confirmation mails requested by visitors of the owner's pages. */
  @Property({ ...count })
  publicSent: Opt<number> = 0;

  @Property({ ...count })
  invitesSent: Opt<number> = 0;

  /** Number of the day's mails that were confirmed so far. */
  @Property({ ...count })
  ownConfirmed: Opt<number> = 0;

  @Property({ ...count })
  publicConfirmed: Opt<number> = 0;

  /** Number of the day's mails that bounced or were refused. */
  @Property({ ...count })
  ownBounced: Opt<number> = 0;

  @Property({ ...count })
  publicBounced: Opt<number> = 0;

  [PrimaryKeyProp]?: ['sender', 'day'];
}

/**
 * Mails to strangers that the accounts of one mailbox caused within one hour. Counted by hour, because the budget
 * applies to any 24 hours; with calendar days the budget could be used twice around midnight. Rows are needed for a
 * day.
 */
@Entity({ tableName: 'outreach_hours' })
@Check({ name: 'outreach_hours_counts_check', expression: 'own_sent >= 0 and public_sent >= 0' })
export class OutreachHour {
  /** SHA-256 of the account's mailbox (`users.mailbox_hash`). */
  @PrimaryKey({ type: 'blob', columnType: 'bytea', autoincrement: false })
  sender: Uint8Array;

  @PrimaryKey({ ...timestamp })
  @Index({ name: 'outreach_hours_hour_index' })
  hour: Date;

  /** Mails to people whom the owner added or invited. */
  @Property({ type: 'integer', default: 0 })
  ownSent: Opt<number> = 0;

  /** Mails requested by visitors of the owner's pages. */
  @Property({ type: 'integer', default: 0 })
  publicSent: Opt<number> = 0;

  [PrimaryKeyProp]?: ['sender', 'hour'];
}

/** Kinds of mail with an opt-out link. */
export const ASK_KINDS = ['invite', 'opt-in'] as const;
export type AskKind = (typeof ASK_KINDS)[number];

/**
 * The opt-out link of one invite or confirmation mail. Outlives contact, list, invite and accounts. Once the link is
 * used, the mailbox is never asked again.
 */
@Entity({ tableName: 'referral_opt_outs' })
export class AskOptOut {
  /** Hash of the token in the mail. */
  @PrimaryKey({ type: 'text' })
  token: string;

  /** SHA-256 of the normalised address. */
  @Property({ type: 'blob', columnType: 'bytea' })
  @Index({ name: 'referral_opt_outs_address_index' })
  addressHash: Uint8Array;

  /** SHA-256 of the mailbox; null for links created before it was stored. */
  @Property({ type: 'blob', columnType: 'bytea', nullable: true })
  @Index({
    name: 'referral_opt_outs_mailbox_index',
    expression: `create index "referral_opt_outs_mailbox_index" on "referral_opt_outs" ("mailbox_hash") where opted_out_at is not null`,
  })
  mailboxHash?: Uint8Array | null;

  @Property({ type: 'text', default: 'invite' })
  kind: Opt<AskKind> = 'invite';

  @Property({ ...timestamp, nullable: true })
  optedOutAt?: Date | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
