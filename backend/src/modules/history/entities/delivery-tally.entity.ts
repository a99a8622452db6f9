import { PrimaryKeyProp, type Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/**
 * Number of deliveries of a send per final status, kept by statement triggers on email_delivery_logs. Each database
 * connection counts in its own row, so that workers never wait for each other. The send's numbers are the sums over its
 * rows; a single row may be negative. There is no foreign key, because its check would lock the send's row in every
 * settling statement; a trigger deletes the rows together with the send.
 */
@Entity({ tableName: 'delivery_tallies' })
@Index({
  name: 'delivery_tallies_apart_index',
  expression: 'create index "delivery_tallies_apart_index" on "delivery_tallies" ("history_id") where backend <> 0',
})
export class DeliveryTally {
  @PrimaryKey({ type: 'uuid' })
  historyId: string;

  /** Process id of the connection's PostgreSQL backend; 0 for rows that the compactor summed up. */
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

  /** Messages whose recipients unsubscribed, whatever the messages' status. */
  @Property({ type: 'integer', default: 0 })
  unsubscribed: Opt<number> = 0;

  [PrimaryKeyProp]?: ['historyId', 'backend'];
}
