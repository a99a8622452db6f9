import { PrimaryKeyProp, type Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/**
 * How many deliveries of a send stand at each final status, kept by statement triggers on email_delivery_logs. Every
 * database connection counts on a row of its own, so that no two workers ever wait for each other; a send's numbers are
 * the sum of its rows, and a single row may be negative. No foreign key: its check would lock the send's row from
 * within every settling statement. The rows go with the send by a trigger.
 */
@Entity({ tableName: 'delivery_tallies' })
@Index({ name: 'delivery_tallies_apart_index', expression: 'create index "delivery_tallies_apart_index" on "delivery_tallies" ("history_id") where backend <> 0' })
export class DeliveryTally {
  @PrimaryKey({ type: 'uuid' })
  historyId: string;

  /** Process id of the connection; 0 for what the compactor added up. */
  @PrimaryKey({ type: 'integer', autoincrement: false })
  backend: number;

  @Property({ type: 'integer', default: 0 })
  sent: Opt<number> = 0;

  @Property({ type: 'integer', default: 0 })
  unconfirmed: Opt<number> = 0;

  @Property({ type: 'integer', default: 0 })
  failed: Opt<number> = 0;

  @Property({ type: 'integer', default: 0 })
  skipped: Opt<number> = 0;

  @Property({ type: 'integer', default: 0 })
  bounced: Opt<number> = 0;

  @Property({ type: 'integer', default: 0 })
  complained: Opt<number> = 0;

  /** Messages, whatever their status, that made their recipients leave. */
  @Property({ type: 'integer', default: 0 })
  unsubscribed: Opt<number> = 0;

  [PrimaryKeyProp]?: ['historyId', 'backend'];
}
