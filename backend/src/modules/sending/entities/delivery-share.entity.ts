import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/columns.js';
import { User } from '../../auth/index.js';

/** What an account holder was given lately of what all share: turns of delivery, and of laying sends out. Removed once it is a day old. */
@Entity({ tableName: 'delivery_shares' })
@Index({ name: 'delivery_shares_started_index', properties: ['turnStarted'] })
export class DeliveryShare {
  @ManyToOne(() => User, { mapToPk: true, primary: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  /** Messages that it was charged, caught up with the others after each time that it had nothing to send. */
  @Property({ type: 'double', default: 0 })
  virtualTime: Opt<number> = 0;

  /** Virtual time that its latest turn began at; the highest of all accounts is the clock of all. */
  @Property({ type: 'double', default: 0 })
  turnStarted: Opt<number> = 0;

  /** When it had its latest turn of any kind. */
  @Property({ ...timestamp, defaultRaw: 'now()' })
  servedAt: Opt<Date>;

  /** When a part of one of its sends was last laid out. */
  @Property({ ...timestamp, nullable: true })
  laidOutAt?: Date | null;

  [PrimaryKeyProp]?: 'userId';
}
