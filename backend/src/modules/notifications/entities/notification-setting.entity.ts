import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Check, Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { oneOf, timestamp } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';
import { MAIL_CHOICES, type MailChoice } from '../notification-kinds.js';

/** A user's choice for one kind of notification; without a row the defaults of KIND_RULES apply. */
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

/** How a user's notifications are mailed; without a row the summary goes out at the default hour. */
@Entity({ tableName: 'notification_mailing' })
@Check({ name: 'notification_mailing_hour_check', expression: 'summary_hour >= 0 and summary_hour <= 23' })
export class NotificationMailing {
  @ManyToOne(() => User, { mapToPk: true, primary: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  /** Hour of the summary in the user's time zone. */
  @Property({ type: 'smallint', default: 8 })
  summaryHour: Opt<number> = 8;

  /** The last day, in the user's time zone, for which a summary was written. */
  @Property({ type: 'date', nullable: true })
  summarisedOn?: string | null;

  /** Number of notification mails that bounced since the user last turned this mail on. */
  @Property({ type: 'integer', default: 0 })
  bounces: Opt<number> = 0;

  /**
   * Time at which notification mail was turned off, because mails bounced or one was reported as spam; null if it is
   * on.
   */
  @Property({ ...timestamp, nullable: true })
  offAt?: Date | null;

  [PrimaryKeyProp]?: 'userId';
}
