import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/queries/columns.js';
import { EmailList } from './email-list.entity.js';

/**
 * A further column that a contact of the list has, by its label. Kept when its last contact leaves: it only offers the
 * column.
 */
@Entity({ tableName: 'contact_fields' })
export class ContactFieldLabel {
  @ManyToOne(() => EmailList, { primary: true, mapToPk: true, fieldName: 'email_list_id', deleteRule: 'cascade' })
  emailListId: string;

  @PrimaryKey({ type: 'text' })
  label: string;
}

/** Progress of a job that fills a new column of the contacts, batch by batch. */
@Entity({ tableName: 'contact_backfills' })
export class ContactBackfill {
  @PrimaryKey({ type: 'text' })
  name: string;

  /** Contacts up to this id are done. */
  @Property({ type: 'uuid', nullable: true })
  lastId?: string | null;

  @Property({ ...timestamp, nullable: true })
  finishedAt?: Date | null;
}
