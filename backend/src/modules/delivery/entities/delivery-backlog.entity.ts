import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/queries/columns.js';
import { HistoryEntry } from '../../history/index.js';

/** Messages of one send that wait for one mailbox provider. */
@Entity({ tableName: 'delivery_backlogs' })
@Index({ name: 'delivery_backlogs_wake_index', properties: ['wakeAt'] })
export class DeliveryBacklog {
  [PrimaryKeyProp]?: ['historyId', 'provider'];

  @ManyToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  /** A large provider's name, else the recipients' domain. */
  @PrimaryKey({ type: 'text' })
  provider: string;

  /** Id of the mail account in use when the backlog last grew or was served. */
  @Property({ type: 'text' })
  account: string;

  /** Positions in its parts; the row is removed with the last one. */
  @Property({ type: 'integer' })
  waiting: number;

  @Property({ ...timestamp, defaultRaw: 'now()' })
  wakeAt: Opt<Date>;

  /** Backlogs are served least recently served first. */
  @Property({ ...timestamp, nullable: true })
  servedAt?: Date | null;

  /** A worker serves it until this time. */
  @Property({ ...timestamp, nullable: true })
  leasedUntil?: Date | null;

  @Property({ ...timestamp, defaultRaw: 'now()' })
  createdAt: Opt<Date>;
}

/** Positions of a backlog, up to one claim's size. `taken` counts the served ones. */
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

  /** Number of served positions. */
  @Property({ type: 'integer', default: 0 })
  taken: Opt<number> = 0;
}

/** The large mailbox provider that hosts a recipient domain, by its MX records. */
@Entity({ tableName: 'recipient_domains' })
@Index({ name: 'recipient_domains_looked_up_index', properties: ['lookedUpAt'] })
export class RecipientDomain {
  @PrimaryKey({ type: 'text' })
  domain: string;

  /** Null: none of the large ones. */
  @Property({ type: 'text', nullable: true })
  provider?: string | null;

  @Property({ ...timestamp, defaultRaw: 'now()' })
  lookedUpAt: Opt<Date>;
}
