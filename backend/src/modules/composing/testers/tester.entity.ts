import type { Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, timestamp, uuidKey } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';

/** An address to which a user may send tests, once its owner has confirmed it. */
@Entity({ tableName: 'testers' })
@Unique({ name: 'testers_address_unique', properties: ['userId', 'addressHash'] })
@Unique({ name: 'testers_token_unique', properties: ['tokenHash'] })
@Index({ name: 'testers_address_index', properties: ['addressHash'] })
@Index({
  name: 'testers_waiting_index',
  expression: 'create index "testers_waiting_index" on "testers" ("asked_at") where confirmed_at is null',
})
export class Tester {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  @Property({ type: 'text' })
  address: string;

  /** SHA-256 of the normalised address. */
  @Property({ type: 'blob', columnType: 'bytea' })
  addressHash: Uint8Array;

  /** Hash of the token in the last confirmation mail. */
  @Property({ type: 'text' })
  tokenHash: string;

  /** When the last confirmation mail was written; its link works for 30 days. */
  @Property({ ...createdAtColumn })
  askedAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  confirmedAt?: Date | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
