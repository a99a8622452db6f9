import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../../shared/database/columns.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../../shared/words/delivery-status.js';
import { HistoryEntry } from '../../history/index.js';

/**
 * One message to one recipient of a send: outbox, claim and log in one row (reliability-security.md §1.2).
 * `position` orders the rows of a send, so that a job names a range of them.
 */
@Entity({ tableName: 'email_delivery_logs' })
@Check({ name: 'email_delivery_logs_status_check', expression: oneOf('status', DELIVERY_STATUSES) })
@Unique({ name: 'email_delivery_logs_position_unique', properties: ['historyId', 'position'] })
@Index({ name: 'email_delivery_logs_waiting_index', expression: `create index "email_delivery_logs_waiting_index" on "email_delivery_logs" ("history_id", "position") where status in ('queued', 'deferred')` })
@Index({ name: 'email_delivery_logs_sending_index', expression: `create index "email_delivery_logs_sending_index" on "email_delivery_logs" ("history_id", "position") where status = 'sending'` })
@Index({ name: 'email_delivery_logs_retry_index', expression: `create index "email_delivery_logs_retry_index" on "email_delivery_logs" ("history_id", "next_attempt_at") where status in ('queued', 'deferred') and next_attempt_at is not null` })
@Index({ name: 'email_delivery_logs_apart_index', expression: `create index "email_delivery_logs_apart_index" on "email_delivery_logs" ("history_id", "status", "position") where status in ('deferred', 'unconfirmed', 'failed', 'skipped', 'bounced', 'complained')` })
@Index({ name: 'email_delivery_logs_passing_index', expression: `create index "email_delivery_logs_passing_index" on "email_delivery_logs" ("history_id", "position") where status = 'failed' and metadata->>'class' in ('mailbox-soft', 'transient', 'expired', 'connection')` })
@Index({ name: 'email_delivery_logs_left_index', expression: `create index "email_delivery_logs_left_index" on "email_delivery_logs" ("history_id", "position") where unsubscribed_at is not null` })
@Index({ name: 'email_delivery_logs_network_index', expression: `create index "email_delivery_logs_network_index" on "email_delivery_logs" ("contact_id") where masked and status in ('queued', 'sending', 'deferred')` })
@Index({ name: 'email_delivery_logs_contact_index', properties: ['contactId', 'sentAt'] })
export class Delivery {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  /** The send's own user. No foreign key: the rows go with their send, and a deleted account would have its check read the whole table. */
  @Property({ type: 'uuid' })
  userId: string;

  @ManyToOne(() => HistoryEntry, { mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  /** Place within the send, from 1. */
  @Property({ type: 'integer' })
  position: number;

  /**
   * The mail account that it goes or went by. No foreign key: it is the same for a whole send, yet was asked for row by row while the send
   * was laid out, and the log outlives the account, whose end had to read and rewrite the whole table. One that is gone names nobody,
   * as none does: the next that sends the row writes its own.
   */
  @Property({ type: 'uuid', nullable: true })
  providerId?: string | null;

  /** No foreign key: the log outlives contact and list. */
  @Property({ type: 'uuid' })
  contactId: string;

  @Property({ type: 'uuid' })
  emailListId: string;

  /** Reached only through the shared network: shown masked, not searchable (decisions.md D21). */
  @Property({ type: 'boolean', default: false })
  masked: Opt<boolean> = false;

  @Property({ type: 'text' })
  recipientEmail: string;

  @Property({ type: 'text', nullable: true })
  recipientName?: string | null;

  @Property({ type: 'text' })
  subject: string;

  @Property({ type: 'text', nullable: true })
  messageId?: string | null;

  /** The column's default is the specification's; rows are always inserted as queued. */
  @Property({ type: 'text', default: 'sent' })
  status: Opt<DeliveryStatus>;

  /** {reason, response, code, class …}: what the log shows in words. */
  @Property({ type: 'json', nullable: true })
  metadata?: Record<string, unknown> | null;

  /** Fencing: each claim counts one up, and a result is written for its own claim only. */
  @Property({ type: 'integer', default: 0 })
  attempt: Opt<number> = 0;

  /** Tries that ended with a temporary refusal of this recipient. */
  @Property({ type: 'integer', default: 0 })
  deferrals: Opt<number> = 0;

  /** Times the outcome of a handover stayed unknown. */
  @Property({ type: 'integer', default: 0 })
  ambiguous: Opt<number> = 0;

  /** Set just before the message is handed over: a crash after it leaves the outcome unknown. */
  @Property({ type: 'boolean', default: false })
  transmitting: Opt<boolean> = false;

  @Property({ ...timestamp, nullable: true })
  leaseUntil?: Date | null;

  @Property({ ...timestamp, nullable: true })
  nextAttemptAt?: Date | null;

  /** When the mail server accepted it. */
  @Property({ ...timestamp, nullable: true })
  sentAt?: Date | null;

  @Property({ ...timestamp, nullable: true })
  deliveredAt?: Date | null;

  /** When the recipient left because of this message. */
  @Property({ ...timestamp, nullable: true })
  unsubscribedAt?: Date | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
