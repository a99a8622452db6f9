import { type Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/columns.js';
import type { SuppressionScope } from '../../../shared/words/suppression.js';

/**
 * A suppression that was lifted, written by a trigger whoever lifts it: a large send is still being laid out then, to the audience of
 * the time of its acceptance. Kept for as long as a send may take.
 */
@Entity({ tableName: 'lifted_suppressions' })
@Index({ name: 'lifted_suppressions_address_index', properties: ['addressHash'] })
@Index({ name: 'lifted_suppressions_lifted_index', properties: ['liftedAt'] })
export class LiftedSuppression {
  /** Of the suppression. */
  @PrimaryKey({ type: 'uuid' })
  id: string;

  @Property({ type: 'text' })
  scope: SuppressionScope;

  @Property({ type: 'uuid', nullable: true })
  ownerId?: string | null;

  @Property({ type: 'blob', columnType: 'bytea' })
  addressHash: Uint8Array;

  @Property({ ...timestamp })
  createdAt: Date;

  @Property({ ...timestamp, nullable: true })
  expiresAt?: Date | null;

  @Property({ ...timestamp, defaultRaw: 'now()' })
  liftedAt: Opt<Date>;
}
