import type { Opt } from '@mikro-orm/core';
import { Entity, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/queries/columns.js';
import { ContactProfile } from './contact-profile.entity.js';

/**
 * When a person was mailed; people who were never mailed have no row. Only the primary key is indexed, so that an
 * update can keep the row on its page of the table.
 */
@Entity({ tableName: 'contact_activity' })
export class ContactActivity {
  @OneToOne(() => ContactProfile, { primary: true, mapToPk: true, fieldName: 'profile_id', deleteRule: 'cascade' })
  profileId: string;

  @Property({ ...timestamp, nullable: true })
  lastMailedAt?: Date | null;

  @Property({ type: 'integer', default: 0 })
  mailedCount: Opt<number> = 0;

  @Property({ ...timestamp, nullable: true })
  lastBouncedAt?: Date | null;

  @Property({ ...timestamp, nullable: true })
  lastRepliedAt?: Date | null;
}
