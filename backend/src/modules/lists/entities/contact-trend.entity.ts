import { PrimaryKeyProp, type Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/columns.js';

/**
 * What came to and left a person's lists within a quarter of an hour, kept by statement triggers on subscriptions: days of
 * any time zone are sums of quarters. Every database connection counts on a row of its own, so that nobody ever waits;
 * a single row may be negative. No foreign key: its check would lock the owner's row from within every import. The rows go
 * with the account by a trigger. Nothing is taken away when a contact or a list goes.
 */
@Entity({ tableName: 'contact_trends' })
@Index({ name: 'contact_trends_old_index', properties: ['quarter'] })
@Index({ name: 'contact_trends_apart_index', expression: 'create index "contact_trends_apart_index" on "contact_trends" ("quarter") where backend <> 0' })
export class ContactTrend {
  @PrimaryKey({ type: 'uuid' })
  ownerId: string;

  /** Its start. */
  @PrimaryKey({ ...timestamp })
  quarter: Date;

  /** Process id of the connection; 0 for what the compactor added up. */
  @PrimaryKey({ type: 'integer', autoincrement: false })
  backend: number;

  @Property({ type: 'integer', default: 0 })
  added: Opt<number> = 0;

  @Property({ type: 'integer', default: 0 })
  unsubscribed: Opt<number> = 0;

  [PrimaryKeyProp]?: ['ownerId', 'quarter', 'backend'];
}
