import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Check, Entity, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, uuidKey } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';

/** Number of sends of one user on one day in the user's time zone. Changed by guarded statements only. */
@Entity({ tableName: 'usage_tracking' })
@Unique({ name: 'usage_tracking_user_date_unique', properties: ['userId', 'date'] })
@Check({ name: 'usage_tracking_count_check', expression: 'emails_sent >= 0' })
export class DailyUsage {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  @Property({ type: 'date' })
  date: string;

  /** Time zone in which the day is counted. The zone stays the same even if the user changes zones during the day. */
  @Property({ type: 'text', default: 'UTC' })
  timeZone: Opt<string> = 'UTC';

  @Property({ type: 'integer', default: 0 })
  emailsSent: Opt<number> = 0;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}

/**
 * Number of sends of all accounts of one mailbox on one day. There is no foreign key: the count outlives accounts by
 * two days, so that a new account does not restart the Free plan's limit. The mailbox is stored as a hash.
 */
@Entity({ tableName: 'mailbox_usage' })
@Check({ name: 'mailbox_usage_count_check', expression: 'emails_sent >= 0' })
export class MailboxUsage {
  @PrimaryKey({ type: 'blob', columnType: 'bytea', autoincrement: false })
  mailboxHash: Uint8Array;

  @PrimaryKey({ type: 'date' })
  date: string;

  /** Time zone that the day is counted in. */
  @Property({ type: 'text', default: 'UTC' })
  timeZone: Opt<string> = 'UTC';

  @Property({ type: 'integer', default: 0 })
  emailsSent: Opt<number> = 0;

  [PrimaryKeyProp]?: ['mailboxHash', 'date'];
}
