import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../database/queries/columns.js';

export const SYSTEM_MAIL_STATUSES = ['queued', 'sending', 'sent', 'failed'] as const;
export type SystemMailStatus = (typeof SYSTEM_MAIL_STATUSES)[number];

/** Priorities, by who waits for the mail: someone who signs in, a visitor who subscribed, or nobody. */
export const SYSTEM_MAIL_PRIORITY = { account: 0, requested: 1, unasked: 2 } as const;
export type SystemMailPriority = keyof typeof SYSTEM_MAIL_PRIORITY;

/**
 * Outbox of system mail (verification, reset, confirmation, invite). A row is written in the transaction that causes
 * the mail. The rendered message, with its token, is encrypted while the mail is pending and erased after delivery.
 */
@Entity({ tableName: 'system_mails' })
@Check({ name: 'system_mails_status_check', expression: oneOf('status', SYSTEM_MAIL_STATUSES) })
@Index({
  name: 'system_mails_turn_index',
  expression: `create index "system_mails_turn_index" on "system_mails" ("priority", "next_attempt_at", "id") where status in ('queued', 'sending')`,
})
@Index({ name: 'system_mails_mailbox_index', properties: ['recipientMailbox', 'kind', 'createdAt'] })
@Index({
  name: 'system_mails_due_index',
  expression: `create index "system_mails_due_index" on "system_mails" ("next_attempt_at", "id") where status in ('queued', 'sending')`,
})
@Index({
  name: 'system_mails_old_index',
  expression: `create index "system_mails_old_index" on "system_mails" ("created_at") where status in ('sent', 'failed')`,
})
@Index({ name: 'system_mails_recipient_index', properties: ['recipientHash', 'kind', 'createdAt'] })
export class SystemMail {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  /** Kind in the form `module.purpose`, such as auth.verify. */
  @Property({ type: 'text' })
  kind: string;

  @Property({ type: 'blob', columnType: 'bytea' })
  recipientHash: Uint8Array;

  /** SHA-256 of the address's mailbox, for throttling by mailbox. */
  @Property({ type: 'blob', columnType: 'bytea', nullable: true })
  recipientMailbox?: Uint8Array | null;

  /** Lower values are sent first. */
  @Property({ type: 'smallint', default: SYSTEM_MAIL_PRIORITY.account })
  priority: Opt<number> = SYSTEM_MAIL_PRIORITY.account;

  /** Id of the list, user or invite that the mail is about, for throttling and for the conditions of the kind. */
  @Property({ type: 'uuid', nullable: true })
  subjectId?: string | null;

  /** Encrypted {to, subject, text, html}; null once the mail was delivered or given up. */
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
