import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../../shared/database/columns.js';
import { HISTORY_STATUSES, type HistoryStatus } from '../../../shared/words/history-status.js';
import { SEND_TYPES, type SendType } from '../../../shared/words/send-type.js';
import { User } from '../../auth/index.js';
import { EmailList } from '../../lists/index.js';

/** The record of one send: one press of Send Email (decisions.md D25-D27). */
@Entity({ tableName: 'email_history' })
@Check({ name: 'email_history_type_check', expression: oneOf('email_type', SEND_TYPES) })
@Check({ name: 'email_history_status_check', expression: oneOf('status', HISTORY_STATUSES) })
@Index({ name: 'email_history_user_index', expression: 'create index "email_history_user_index" on "email_history" ("user_id", "sent_at" desc, "id" desc)' })
@Index({ name: 'email_history_sent_index', properties: ['sentAt', 'id'] })
@Index({ name: 'email_history_pending_index', expression: `create index "email_history_pending_index" on "email_history" ("sent_at") where status = 'pending'` })
@Index({ name: 'email_history_repeat_index', properties: ['userId', 'contentHash', 'sentAt'] })
@Unique({ name: 'email_history_key_unique', expression: 'create unique index "email_history_key_unique" on "email_history" ("user_id", "idempotency_key") where idempotency_key is not null' })
export class HistoryEntry {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  /** The first chosen list; all of them are in email_history_lists. */
  @ManyToOne(() => EmailList, { mapToPk: true, fieldName: 'email_list_id', nullable: true, deleteRule: 'set null', index: 'email_history_list_index' })
  emailListId?: string | null;

  @Property({ type: 'text' })
  subject: string;

  @Property({ type: 'text' })
  content: string;

  @Property({ type: 'text' })
  emailType: SendType;

  @Property({ type: 'integer', default: 0 })
  recipientCount: Opt<number> = 0;

  /** The column's default is the specification's; a new send is always written as pending (reliability-security.md §1.2). */
  @Property({ type: 'text', default: 'sent' })
  status: Opt<HistoryStatus>;

  /** Time of acceptance, by the database's clock; also the Date header of its messages. */
  @Property({ ...createdAtColumn })
  sentAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  settledAt?: Date | null;

  /** While set nobody takes a delivery of this send. */
  @Property({ ...timestamp, nullable: true })
  pausedAt?: Date | null;

  /** Set for good: what was not handed over by then is skipped. */
  @Property({ ...timestamp, nullable: true })
  cancelledAt?: Date | null;

  /** The send's place of its day was given back. */
  @Property({ type: 'boolean', default: false })
  usageReturned: Opt<boolean> = false;

  /** The day of usage_tracking this send was counted on, so that it can be given back there. */
  @Property({ type: 'date' })
  usageDate: string;

  /** As chosen by the client (Idempotency-Key header). */
  @Property({ type: 'text', nullable: true })
  idempotencyKey?: string | null;

  /** SHA-256 of type, sorted list ids, subject and content: tells a repeat from another send. */
  @Property({ type: 'text' })
  contentHash: string;

  /** Sender's name and agency as they were. */
  @Property({ type: 'text' })
  senderName: string;

  @Property({ type: 'text', nullable: true })
  senderAgency?: string | null;

  @Property({ type: 'text' })
  replyTo: string;
}
