import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property, Index } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/queries/columns.js';
import { HistoryEntry } from '../../history/index.js';
import { User } from '../../auth/index.js';

/**
 * Positions of a send with unclaimed messages. Created together with the deliveries. Removed once each of its messages
 * was marked or moved to a backlog. Its bounds never change.
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

  /** All messages before this position were marked or moved to a backlog. */
  @Property({ type: 'integer' })
  nextPosition: Opt<number>;

  /**
   * Until this time, one job works on the range exclusively. Two jobs at once would consume the account's quota twice
   * for the same messages.
   */
  @Property({ ...timestamp, nullable: true })
  leasedUntil?: Date | null;

  /** Random token of the current lease. */
  @Property({ type: 'uuid', nullable: true })
  leasedBy?: string | null;
}

/**
 * The share of the capacity that an account holder recently received, through slices of delivery and of expansion.
 * Removed after a day.
 */
@Entity({ tableName: 'delivery_shares' })
@Index({ name: 'delivery_shares_started_index', properties: ['turnStarted'] })
export class DeliveryShare {
  @ManyToOne(() => User, { mapToPk: true, primary: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  /**
   * Virtual time: number of messages charged so far. If an account returns after having had nothing to send, its
   * virtual time is advanced to the clock.
   */
  @Property({ type: 'double', default: 0 })
  virtualTime: Opt<number> = 0;

  /**
   * The clock when the account's latest slice began. The clock is the lowest virtual time of all accounts with
   * something to send, but never falls below the maximum of this column.
   */
  @Property({ type: 'double', default: 0 })
  turnStarted: Opt<number> = 0;

  /** When the account last got a slice, of delivery or of expansion. */
  @Property({ ...timestamp, defaultRaw: 'now()' })
  servedAt: Opt<Date>;

  /** When a chunk of one of the account's sends was last expanded. */
  @Property({ ...timestamp, nullable: true })
  laidOutAt?: Date | null;

  [PrimaryKeyProp]?: 'userId';
}

/** The rows of a send between two positions, inclusive. */
export interface PositionRange {
  sendId: string;
  from: number;
  to: number;
}
