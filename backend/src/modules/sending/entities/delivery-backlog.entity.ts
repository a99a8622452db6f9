import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/columns.js';
import { HistoryEntry } from '../../history/index.js';

/** Messages of a send that wait for their mailbox provider, with one time to wake. */
@Entity({ tableName: 'delivery_backlogs' })
@Index({ name: 'delivery_backlogs_wake_index', properties: ['wakeAt'] })
export class DeliveryBacklog {
  [PrimaryKeyProp]?: ['historyId', 'provider'];

  @ManyToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  /** A large provider's name, else the recipients' domain. */
  @PrimaryKey({ type: 'text' })
  provider: string;

  /** Id of the mail account that was in use when it was last served or grew. */
  @Property({ type: 'text' })
  account: string;

  /** Positions in its parts; the row goes when none is left. */
  @Property({ type: 'integer' })
  waiting: number;

  @Property({ ...timestamp, defaultRaw: 'now()' })
  wakeAt: Opt<Date>;

  /** Whoever was served least recently is next. */
  @Property({ ...timestamp, nullable: true })
  servedAt?: Date | null;

  /** A worker serves it. */
  @Property({ ...timestamp, nullable: true })
  leasedUntil?: Date | null;

  @Property({ ...timestamp, defaultRaw: 'now()' })
  createdAt: Opt<Date>;
}

/** Positions of a backlog, up to a claim's worth; what is served moves `taken` on. */
@Entity({ tableName: 'delivery_backlog_parts' })
@Index({ name: 'delivery_backlog_parts_order_index', properties: ['historyId', 'provider', 'firstPosition'] })
export class DeliveryBacklogPart {
  @PrimaryKey({ type: 'uuid', defaultRaw: 'gen_random_uuid()' })
  id: Opt<string>;

  @ManyToOne(() => HistoryEntry, { mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  @Property({ type: 'text' })
  provider: string;

  @Property({ type: 'integer' })
  firstPosition: number;

  @Property({ columnType: 'int[]', type: 'array' })
  positions: number[];

  /** How many of them were served. */
  @Property({ type: 'integer', default: 0 })
  taken: Opt<number> = 0;
}
