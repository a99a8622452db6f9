import { PrimaryKeyProp, type Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/queries/columns.js';

/**
 * Contacts that joined and left a user's lists per quarter of an hour, counted by statement triggers on subscriptions.
 * Quarters sum up to days of any time zone. Each database connection counts in a row of its own, so that connections
 * never wait for each other; a single row may be negative. There is no foreign key, because its check would lock the
 * owner's row during every import. Instead, a trigger deletes the rows with the account. Deleting a contact or list
 * does not reduce the counts.
 */
@Entity({ tableName: 'contact_trends' })
@Index({ name: 'contact_trends_old_index', properties: ['quarter'] })
@Index({
  name: 'contact_trends_apart_index',
  expression: 'create index "contact_trends_apart_index" on "contact_trends" ("quarter") where backend <> 0',
})
export class ContactTrend {
  @PrimaryKey({ type: 'uuid' })
  ownerId: string;

  /** Start of the quarter of an hour. */
  @PrimaryKey({ ...timestamp })
  quarter: Date;

  /** Backend process id of the connection; 0 for rows summed up by the compactor. */
  @PrimaryKey({ type: 'integer', autoincrement: false })
  backend: number;

  @Property({ type: 'integer', default: 0 })
  added: Opt<number> = 0;

  @Property({ type: 'integer', default: 0 })
  unsubscribed: Opt<number> = 0;

  [PrimaryKeyProp]?: ['ownerId', 'quarter', 'backend'];
}
