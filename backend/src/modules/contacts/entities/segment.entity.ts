import type { Opt } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, timestamp, uuidKey } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';

/** A saved filter over profiles. It is evaluated when it is used, and its members are not stored. */
@Entity({ tableName: 'segments' })
@Unique({
  name: 'segments_name_unique',
  expression: 'create unique index "segments_name_unique" on "segments" ("owner_id", lower(name))',
})
export class Segment {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'owner_id', deleteRule: 'cascade' })
  ownerId: string;

  @Property({ type: 'text' })
  name: string;

  /** The filter with its values as validated by the compiler. */
  @Property({ type: 'json' })
  filter: Record<string, unknown>;

  /**
   * Labels of the filter's fields and values when it was saved, so that deleted fields and values can still be named.
   */
  @Property({ type: 'json', default: '{}' })
  labels: Opt<Record<string, string>>;

  /** Increases with each change of the name or filter. */
  @Property({ type: 'integer', default: 1 })
  version: Opt<number> = 1;

  /** Number of members at `counted_at`. */
  @Property({ type: 'integer', nullable: true })
  lastCount?: number | null;

  @Property({ ...timestamp, nullable: true })
  countedAt?: Date | null;

  /** When a send to the segment was last accepted. */
  @Property({ ...timestamp, nullable: true })
  lastUsedAt?: Date | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...createdAtColumn })
  updatedAt: Opt<Date>;
}
