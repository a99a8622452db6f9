import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property, Index } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/queries/columns.js';
import { HistoryEntry } from '../../history/index.js';
import { User } from '../../auth/index.js';

/**
 * Positions of a send with unclaimed messages. Created with the deliveries and removed once each message was marked or
 * is in a backlog. The bounds never change.
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

  /** All messages before this position are marked or in a backlog. */
  @Property({ type: 'integer' })
  nextPosition: Opt<number>;

  /** A job works on it until this time. Two jobs at once would consume the account's quota twice for the same messages. */
  @Property({ ...timestamp, nullable: true })
  leasedUntil?: Date | null;

  /** Random token of the lease. */
  @Property({ type: 'uuid', nullable: true })
  leasedBy?: string | null;
}

/** What an account holder received recently of the shared capacity: slices of delivery and of expansion. Removed after a day. */
@Entity({ tableName: 'delivery_shares' })
@Index({ name: 'delivery_shares_started_index', properties: ['turnStarted'] })
export class DeliveryShare {
  @ManyToOne(() => User, { mapToPk: true, primary: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  /** Virtual time: messages charged so far. An account that had nothing to send is advanced to the clock when it returns. */
  @Property({ type: 'double', default: 0 })
  virtualTime: Opt<number> = 0;

  /**
   * The clock when its latest slice began: the lowest virtual time of all accounts with something to send. The highest
   * value over all accounts is the current clock.
   */
  @Property({ type: 'double', default: 0 })
  turnStarted: Opt<number> = 0;

  /** When the account last got a slice, of delivery or of expansion. */
  @Property({ ...timestamp, defaultRaw: 'now()' })
  servedAt: Opt<Date>;

  /** Time of the latest expansion chunk of one of its sends. */
  @Property({ ...timestamp, nullable: true })
  laidOutAt?: Date | null;

  [PrimaryKeyProp]?: 'userId';
}

/** The rows of a send at these positions, inclusive. */
export interface PositionRange {
  sendId: string;
  from: number;
  to: number;
}
