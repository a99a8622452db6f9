import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../database/columns.js';

export const SYSTEM_MAIL_STATUSES = ['queued', 'sending', 'sent', 'failed'] as const;
export type SystemMailStatus = (typeof SYSTEM_MAIL_STATUSES)[number];

/** Who waits for a mail decides its turn: a person at a sign-in screen, a visitor who subscribed, nobody. */
export const SYSTEM_MAIL_PRIORITY = { account: 0, requested: 1, unasked: 2 } as const;
export type SystemMailPriority = keyof typeof SYSTEM_MAIL_PRIORITY;

/**
 * Outbox of system mail (verify, reset, opt-in, invite): written in the transaction that owes the mail.
 * The rendered message, with its token, is sealed while it waits and erased once it is settled.
 */
@Entity({ tableName: 'system_mails' })
@Check({ name: 'system_mails_status_check', expression: oneOf('status', SYSTEM_MAIL_STATUSES) })
@Index({ name: 'system_mails_turn_index', expression: `create index "system_mails_turn_index" on "system_mails" ("priority", "next_attempt_at", "id") where status in ('queued', 'sending')` })
@Index({ name: 'system_mails_mailbox_index', properties: ['recipientMailbox', 'kind', 'createdAt'] })
@Index({ name: 'system_mails_due_index', expression: `create index "system_mails_due_index" on "system_mails" ("next_attempt_at", "id") where status in ('queued', 'sending')` })
@Index({ name: 'system_mails_old_index', expression: `create index "system_mails_old_index" on "system_mails" ("created_at") where status in ('sent', 'failed')` })
@Index({ name: 'system_mails_recipient_index', properties: ['recipientHash', 'kind', 'createdAt'] })
export class SystemMail {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  /** `module.purpose`, e.g. auth.verify. */
  @Property({ type: 'text' })
  kind: string;

  @Property({ type: 'blob', columnType: 'bytea' })
  recipientHash: Uint8Array;

  /** SHA-256 of the mailbox behind the address, where a throttle counts by it. */
  @Property({ type: 'blob', columnType: 'bytea', nullable: true })
  recipientMailbox?: Uint8Array | null;

  /** The lower, the sooner. */
  @Property({ type: 'smallint', default: SYSTEM_MAIL_PRIORITY.account })
  priority: Opt<number> = SYSTEM_MAIL_PRIORITY.account;

  /** What the mail is about (a list, a user), for throttles. */
  @Property({ type: 'uuid', nullable: true })
  subjectId?: string | null;

  /** Sealed {to, subject, text, html}; null once settled. */
  @Property({ type: 'blob', columnType: 'bytea', nullable: true })
  payload?: Uint8Array | null;

  @Property({ type: 'text', default: 'queued' })
  status: Opt<SystemMailStatus> = 'queued';

  @Property({ type: 'integer', default: 0 })
  attempts: Opt<number> = 0;

  @Property({ ...timestamp, defaultRaw: 'now()' })
  nextAttemptAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  leaseUntil?: Date | null;

  @Property({ type: 'text', nullable: true })
  lastError?: string | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  sentAt?: Date | null;
}
