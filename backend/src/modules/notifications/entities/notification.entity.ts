import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';
import type { NotificationKind } from '../notification-kinds.js';

/** How a notification that waits for its mail will be mailed. */
export const PENDING_MAILS = ['now', 'summary'] as const;

/**
 * A notification in the list under the bell, by mail, or both. Its text is made from kind and params when the
 * notification is read.
 */
@Entity({ tableName: 'notifications' })
@Check({ name: 'notifications_mail_check', expression: oneOf('mail_as', PENDING_MAILS) })
@Index({
  name: 'notifications_user_index',
  expression: 'create index "notifications_user_index" on "notifications" ("user_id", "updated_at" desc, "id" desc)',
})
@Index({ name: 'notifications_updated_index', properties: ['updatedAt'] })
@Index({
  name: 'notifications_mail_index',
  expression:
    'create index "notifications_mail_index" on "notifications" ("mail_as", "user_id") where mail_as is not null and read_at is null',
})
@Unique({
  name: 'notifications_unread_unique',
  expression:
    'create unique index "notifications_unread_unique" on "notifications" ("user_id", "group_key") where read_at is null',
})
export class Notification {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  /**
   * No check constraint: during an update, a newer version may write kinds that the older one does not know and skips.
   */
  @Property({ type: 'text' })
  kind: NotificationKind;

  /** At most one unread notification of a user has a given key; a further event is added to it. */
  @Property({ type: 'text' })
  groupKey: string;

  @Property({ type: 'json' })
  params: Record<string, unknown>;

  /** Number of events that the notification reports. */
  @Property({ type: 'integer', default: 1 })
  count: Opt<number> = 1;

  /** False: the user wants this kind by mail only, so the list under the bell leaves it out. */
  @Property({ type: 'boolean', default: true })
  shown: Opt<boolean> = true;

  /** How the notification is still to be mailed; null if it is not mailed, or has been mailed. */
  @Property({ type: 'text', nullable: true })
  mailAs?: (typeof PENDING_MAILS)[number] | null;

  /**
   * Time since which the notification waits for its mail. A user gets a summary on a day if a notification was waiting
   * at the summary's hour.
   */
  @Property({ ...timestamp, nullable: true })
  mailSince?: Date | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  /** Time of the last event that was added to the notification. */
  @Property({ ...createdAtColumn })
  updatedAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  readAt?: Date | null;

  @Property({ ...timestamp, nullable: true })
  mailedAt?: Date | null;
}
