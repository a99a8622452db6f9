import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { timestamp } from '../../../shared/database/columns.js';
import { User } from '../../auth/index.js';

/** What an account used of its import limits on its last day of importing (UTC), and when it was last served. */
@Entity({ tableName: 'import_usage' })
export class ImportUsage {
  @ManyToOne(() => User, { mapToPk: true, primary: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  @Property({ type: 'date' })
  day: string;

  /** Bytes of the files taken in on that day. */
  @Property({ type: 'bigint', defaultRaw: '0' })
  bytes: Opt<string> = '0';

  /** Rejected lines stored on that day. */
  @Property({ type: 'integer', default: 0 })
  rejects: Opt<number> = 0;

  /** Start of the last time slice that a worker gave to one of this account's imports. */
  @Property({ ...timestamp, nullable: true })
  servedAt?: Date | null;

  [PrimaryKeyProp]?: 'userId';
}
