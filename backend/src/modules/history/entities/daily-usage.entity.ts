import type { Opt } from '@mikro-orm/core';
import { Check, Entity, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, uuidKey } from '../../../shared/database/columns.js';
import { User } from '../../auth/index.js';

/** Sends of one user on one of their days (decisions.md D11); changed by guarded statements only. */
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

  /** The zone in which this day was opened: it ends there, wherever the user goes meanwhile. */
  @Property({ type: 'text', default: 'UTC' })
  timeZone: Opt<string> = 'UTC';

  @Property({ type: 'integer', default: 0 })
  emailsSent: Opt<number> = 0;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
