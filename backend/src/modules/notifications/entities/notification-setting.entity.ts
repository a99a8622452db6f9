import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Check, Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { oneOf, timestamp } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';
import { MAIL_CHOICES, type MailChoice } from '../notification-kinds.js';

/** What a user chose for one kind; without a row the kind's own rules hold. */
@Entity({ tableName: 'notification_settings' })
@Check({ name: 'notification_settings_mail_check', expression: oneOf('mail', MAIL_CHOICES) })
export class NotificationSetting {
  @ManyToOne(() => User, { mapToPk: true, primary: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  @PrimaryKey({ type: 'text' })
  kind: string;

  @Property({ type: 'boolean', default: true })
  inApp: Opt<boolean> = true;

  @Property({ type: 'text' })
  mail: MailChoice;

  [PrimaryKeyProp]?: ['userId', 'kind'];
}

/** How a user's notifications are mailed; without a row, at the default hour. */
@Entity({ tableName: 'notification_mailing' })
@Check({ name: 'notification_mailing_hour_check', expression: 'summary_hour >= 0 and summary_hour <= 23' })
export class NotificationMailing {
  @ManyToOne(() => User, { mapToPk: true, primary: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  /** Hour of the summary in the user's time zone. */
  @Property({ type: 'smallint', default: 8 })
  summaryHour: Opt<number> = 8;

  /** The user's day for which the last summary was written. */
  @Property({ type: 'date', nullable: true })
  summarisedOn?: string | null;

  /** Mails that came back since the user last turned them on. */
  @Property({ type: 'integer', default: 0 })
  bounces: Opt<number> = 0;

  /** Since when nothing is mailed, because mail came back or was reported as spam. */
  @Property({ ...timestamp, nullable: true })
  offAt?: Date | null;

  [PrimaryKeyProp]?: 'userId';
}
