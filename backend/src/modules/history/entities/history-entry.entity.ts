import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../../shared/database/queries/columns.js';
import { HISTORY_STATUSES, type HistoryStatus, SEND_TYPES, type SendType } from '../../../shared/enums.js';
import { User } from '../../auth/index.js';
import { EmailList } from '../../lists/index.js';

/** A send: one press of Send Email. */
@Entity({ tableName: 'email_history' })
@Check({ name: 'email_history_type_check', expression: oneOf('email_type', SEND_TYPES) })
@Check({ name: 'email_history_status_check', expression: oneOf('status', HISTORY_STATUSES) })
@Index({
  name: 'email_history_user_index',
  expression: 'create index "email_history_user_index" on "email_history" ("user_id", "sent_at" desc, "id" desc)',
})
@Index({ name: 'email_history_sent_index', properties: ['sentAt', 'id'] })
@Index({
  name: 'email_history_pending_index',
  expression: `create index "email_history_pending_index" on "email_history" ("sent_at") where status = 'pending'`,
})
@Index({
  name: 'email_history_activity_index',
  expression: `create index "email_history_activity_index" on "email_history" ("user_id", "sent_at", "id") where activity_pending`,
})
@Index({ name: 'email_history_repeat_index', properties: ['userId', 'contentHash', 'sentAt'] })
@Unique({
  name: 'email_history_draft_unique',
  expression:
    'create unique index "email_history_draft_unique" on "email_history" ("draft_id") where draft_id is not null',
})
@Unique({
  name: 'email_history_key_unique',
  expression:
    'create unique index "email_history_key_unique" on "email_history" ("user_id", "idempotency_key") where idempotency_key is not null',
})
export class HistoryEntry {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  /** The first selected list; email_history_lists has all of them. */
  @ManyToOne(() => EmailList, {
    mapToPk: true,
    fieldName: 'email_list_id',
    nullable: true,
    deleteRule: 'set null',
    index: 'email_history_list_index',
  })
  emailListId?: string | null;

  @Property({ type: 'text' })
  subject: string;

  @Property({ type: 'text' })
  content: string;

  /** Whether the send's messages are composed from send_messages instead of `content`. */
  @Property({ type: 'boolean', default: false })
  composed: Opt<boolean> = false;

  /** Whether files are attached to the send's messages. The files are in send_attachments. */
  @Property({ type: 'boolean', default: false })
  attached: Opt<boolean> = false;

  /** Since when the attached files cannot be read; null: the files can be read, or were not read yet. */
  @Property({ ...timestamp, nullable: true })
  filesUnreadAt?: Date | null;

  /**
   * Since when the file storage lacks one of the attached files, moved forward by time that does not count (FileWaits);
   * null: none is known to be missing.
   */
  @Property({ ...timestamp, nullable: true })
  filesMissingAt?: Date | null;

  /** When a worker last recorded that a file is missing. A worker records that at most once a minute. */
  @Property({ ...timestamp, nullable: true })
  filesLastMissingAt?: Date | null;

  @Property({ type: 'text' })
  emailType: SendType;

  @Property({ type: 'integer', default: 0 })
  recipientCount: Opt<number> = 0;

  /** Always inserted as pending; the column default comes from the original schema. */
  @Property({ type: 'text', default: 'sent' })
  status: Opt<HistoryStatus>;

  /** Time of acceptance by the database's clock; also the Date header of the messages. */
  @Property({ ...createdAtColumn })
  sentAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  settledAt?: Date | null;

  /** While set, no worker claims deliveries of this send. */
  @Property({ ...timestamp, nullable: true })
  pausedAt?: Date | null;

  /** Never cleared once set: messages that were not transmitted yet are skipped. */
  @Property({ ...timestamp, nullable: true })
  cancelledAt?: Date | null;

  /** Whether the send no longer counts towards the daily limit, because no message went out. */
  @Property({ type: 'boolean', default: false })
  usageReturned: Opt<boolean> = false;

  /** The day in usage_tracking on which this send was counted, needed to undo the count. */
  @Property({ type: 'date' })
  usageDate: string;

  /** Value of the Idempotency-Key header of the request. */
  @Property({ type: 'text', nullable: true })
  idempotencyKey?: string | null;

  /** Id of the draft that became this send. The draft no longer exists; a draft is sent at most once. */
  @Property({ type: 'uuid', nullable: true })
  draftId?: string | null;

  /** SHA-256 of type, sorted list ids, subject and content, to detect repeats. */
  @Property({ type: 'text' })
  contentHash: string;

  /** Sender's name when the send was accepted. The agency and the address below are from the same time. */
  @Property({ type: 'text' })
  senderName: string;

  @Property({ type: 'text', nullable: true })
  senderAgency?: string | null;

  /** Business address of the sender on one line. */
  @Property({ type: 'text', nullable: true })
  senderAddress?: string | null;

  @Property({ type: 'text' })
  replyTo: string;

  /** Whether some deliveries of this send are not in contact_activity yet. */
  @Property({ type: 'boolean', default: true })
  activityPending: Opt<boolean> = true;

  /** The current roll-up pass has processed the deliveries up to this position. */
  @Property({ type: 'integer', default: 0 })
  activityPosition: Opt<number> = 0;

  /** When the current roll-up pass began; null: none is running. */
  @Property({ ...timestamp, nullable: true })
  activityStartedAt?: Date | null;

  /** Messages accepted up to this time are in contact_activity; null: no pass has finished yet. */
  @Property({ ...timestamp, nullable: true })
  activityUntil?: Date | null;
}

/** A list that a send went to, with its name at that time. */
@Entity({ tableName: 'email_history_lists' })
export class HistoryList {
  @ManyToOne(() => HistoryEntry, { mapToPk: true, primary: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  /** Order of selection, from 0. */
  @PrimaryKey({ type: 'integer', autoincrement: false })
  position: number;

  @ManyToOne(() => EmailList, {
    mapToPk: true,
    fieldName: 'email_list_id',
    nullable: true,
    deleteRule: 'set null',
    index: 'email_history_lists_list_index',
  })
  emailListId?: string | null;

  @Property({ type: 'text' })
  name: string;

  [PrimaryKeyProp]?: ['historyId', 'position'];
}
