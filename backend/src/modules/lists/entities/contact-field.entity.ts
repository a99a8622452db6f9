import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/queries/columns.js';
import { EmailList } from './email-list.entity.js';

/**
 * Label of a further column of a list's contacts. The row stays when the last contact with a value leaves; it then
 * offers a column without values.
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

  /** Contacts with an id up to this one are done. */
  @Property({ type: 'uuid', nullable: true })
  lastId?: string | null;

  @Property({ ...timestamp, nullable: true })
  finishedAt?: Date | null;
}
