import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../../shared/database/queries/columns.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../../shared/enums.js';
import { HistoryEntry } from '../../history/index.js';

/**
 * One message to one recipient of a send. The row serves as outbox, claim and log. `position` orders the rows of a
 * send, so that a job can refer to a range of rows.
 */
@Entity({ tableName: 'email_delivery_logs' })
@Check({ name: 'email_delivery_logs_status_check', expression: oneOf('status', DELIVERY_STATUSES) })
@Unique({ name: 'email_delivery_logs_position_unique', properties: ['historyId', 'position'] })
@Index({
  name: 'email_delivery_logs_waiting_index',
  expression: `create index "email_delivery_logs_waiting_index" on "email_delivery_logs" ("history_id", "position") where status in ('queued', 'deferred')`,
})
@Index({
  name: 'email_delivery_logs_sending_index',
  expression: `create index "email_delivery_logs_sending_index" on "email_delivery_logs" ("history_id", "position") where status = 'sending'`,
})
@Index({
  name: 'email_delivery_logs_retry_index',
  expression: `create index "email_delivery_logs_retry_index" on "email_delivery_logs" ("history_id", "next_attempt_at") where status in ('queued', 'deferred') and next_attempt_at is not null`,
})
@Index({
  name: 'email_delivery_logs_apart_index',
  expression: `create index "email_delivery_logs_apart_index" on "email_delivery_logs" ("history_id", "status", "position") where status in ('deferred', 'unconfirmed', 'failed', 'skipped', 'bounced', 'complained')`,
})
@Index({
  name: 'email_delivery_logs_passing_index',
  expression: `create index "email_delivery_logs_passing_index" on "email_delivery_logs" ("history_id", "position") where status = 'failed' and metadata->>'class' in ('mailbox-soft', 'transient', 'expired', 'connection')`,
})
@Index({
  name: 'email_delivery_logs_left_index',
  expression: `create index "email_delivery_logs_left_index" on "email_delivery_logs" ("history_id", "position") where unsubscribed_at is not null`,
})
@Index({
  name: 'email_delivery_logs_network_index',
  expression: `create index "email_delivery_logs_network_index" on "email_delivery_logs" ("contact_id") where masked and status in ('queued', 'sending', 'deferred')`,
})
@Index({ name: 'email_delivery_logs_contact_index', properties: ['contactId', 'sentAt'] })
export class Delivery {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  /**
   * The user whose send it is. There is no foreign key: the rows are deleted together with their send, and deleting an
   * account would make PostgreSQL scan the whole table.
   */
  @Property({ type: 'uuid' })
  userId: string;

  @ManyToOne(() => HistoryEntry, { mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  /** Position within the send, from 1. */
  @Property({ type: 'integer' })
  position: number;

  /**
   * The mail account that the message is sent through. There is no foreign key: its check would run for each row of an
   * expansion although the value is the same, and removing an account would rewrite the whole table, which outlives the
   * account. The id of a removed account counts as no account; the next try stores the id of the account that it uses.
   */
  @Property({ type: 'uuid', nullable: true })
  providerId?: string | null;

  /** There is no foreign key, because the log outlives the contact and the list. */
  @Property({ type: 'uuid' })
  contactId: string;

  @Property({ type: 'uuid' })
  emailListId: string;

  /**
   * Whether the address was reached only through the shared network. It is then masked and not searchable; see
   * decisions.md: network-addresses.
   */
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

  /** The default comes from the specified schema and is never used: rows are always inserted as queued. */
  @Property({ type: 'text', default: 'sent' })
  status: Opt<DeliveryStatus>;

  /** {reason, response, code, class …}: what the delivery log shows about the outcome. */
  @Property({ type: 'json', nullable: true })
  metadata?: Record<string, unknown> | null;

  /**
   * Fencing token: each claim increments it. A result applies only to the claim with the same value, except for `sent`;
   * see DeliveryClaims.settle.
   */
  @Property({ type: 'integer', default: 0 })
  attempt: Opt<number> = 0;

  /**
   * Random number of the batch that claimed the row last; null without a start log. `attempt` does not identify the
   * batch: two that read the row at the same time try to claim it with the same attempt, and only one succeeds. The start
   * log of the other one must not match the row.
   */
  @Property({ type: 'integer', nullable: true })
  claimToken?: number | null;

  /** Number of tries that ended with a temporary refusal of this recipient. */
  @Property({ type: 'integer', default: 0 })
  deferrals: Opt<number> = 0;

  /** Number of dispatches with an unknown outcome. */
  @Property({ type: 'integer', default: 0 })
  ambiguous: Opt<number> = 0;

  /** True from just before the message is dispatched. If still true after a crash, the outcome is unknown. */
  @Property({ type: 'boolean', default: false })
  transmitting: Opt<boolean> = false;

  @Property({ ...timestamp, nullable: true })
  leaseUntil?: Date | null;

  @Property({ ...timestamp, nullable: true })
  nextAttemptAt?: Date | null;

  /** When the mail server accepted the message. */
  @Property({ ...timestamp, nullable: true })
  sentAt?: Date | null;

  @Property({ ...timestamp, nullable: true })
  deliveredAt?: Date | null;

  /** When the recipient unsubscribed because of this message. */
  @Property({ ...timestamp, nullable: true })
  unsubscribedAt?: Date | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}

/**
 * Addresses of up to a thousand consecutive deliveries of a large send, written together with the deliveries. A search
 * reads a thousand times fewer rows, and the deliveries, which change with every attempt, need no text index. Sends
 * that were expanded at acceptance have no blocks.
 */
@Entity({ tableName: 'delivery_address_blocks' })
@Index({ name: 'delivery_address_blocks_created_index', properties: ['createdAt'] })
export class DeliveryAddressBlock {
  [PrimaryKeyProp]?: ['historyId', 'firstPosition'];

  @ManyToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  @PrimaryKey({ type: 'integer' })
  firstPosition: number;

  @Property({ type: 'integer' })
  count: number;

  /** One line per position, in lower case; empty for a masked address. */
  @Property({ type: 'text' })
  addresses: string;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
