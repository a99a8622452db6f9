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

  /** Name of a large provider, else the recipients' domain. */
  @PrimaryKey({ type: 'text' })
  provider: string;

  /** Id of the mail account that was in use when the backlog last grew or was served. */
  @Property({ type: 'text' })
  account: string;

  /** Number of unserved positions in the backlog's parts. The row is removed together with the last part. */
  @Property({ type: 'integer' })
  waiting: number;

  @Property({ ...timestamp, defaultRaw: 'now()' })
  wakeAt: Opt<Date>;

  /** When the backlog was last served. The least recently served backlog comes first. */
  @Property({ ...timestamp, nullable: true })
  servedAt?: Date | null;

  /** Until this time, one worker serves the backlog exclusively. */
  @Property({ ...timestamp, nullable: true })
  leasedUntil?: Date | null;

  @Property({ ...timestamp, defaultRaw: 'now()' })
  createdAt: Opt<Date>;
}

/** Some positions of a backlog, at most one claim's worth. `taken` counts the positions that were served. */
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

  /** Null: no large provider hosts the domain. */
  @Property({ type: 'text', nullable: true })
  provider?: string | null;

  @Property({ ...timestamp, defaultRaw: 'now()' })
  lookedUpAt: Opt<Date>;
}
