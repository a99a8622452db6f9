import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/columns.js';
import { HistoryEntry } from '../../history/index.js';

/**
 * Positions of a send whose messages were not all taken up yet; laid out with them, gone once each was marked as handed over or waits in
 * a backlog. The bounds never change.
 */
@Entity({ tableName: 'delivery_ranges' })
export class DeliveryRange {
  [PrimaryKeyProp]?: ['historyId', 'firstPosition'];

  @ManyToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  @PrimaryKey({ type: 'integer' })
  firstPosition: number;

  @Property({ type: 'integer' })
  lastPosition: number;

  /** What lies before was marked or waits in a backlog. */
  @Property({ type: 'integer' })
  nextPosition: Opt<number>;

  /** A job works on it: two at once would take places with the account for the same messages. */
  @Property({ ...timestamp, nullable: true })
  leasedUntil?: Date | null;

  /** The job's own word. */
  @Property({ type: 'uuid', nullable: true })
  leasedBy?: string | null;
}
