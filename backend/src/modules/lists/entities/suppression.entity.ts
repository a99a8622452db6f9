import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../../shared/database/queries/columns.js';
import {
  SUPPRESSION_REASONS,
  SUPPRESSION_SCOPES,
  type SuppressionReason,
  type SuppressionScope,
} from '../../../shared/enums.js';

/** An address that must not be mailed, within a scope. Keyed by hash, so that it outlives contact, list and account. */
@Entity({ tableName: 'suppressions' })
@Check({ name: 'suppressions_scope_check', expression: oneOf('scope', SUPPRESSION_SCOPES) })
@Check({ name: 'suppressions_reason_check', expression: oneOf('reason', SUPPRESSION_REASONS) })
@Check({ name: 'suppressions_owner_check', expression: `(scope = 'owner') = (owner_id is not null)` })
@Index({ name: 'suppressions_created_index', properties: ['createdAt', 'id'] })
@Index({
  name: 'suppressions_address_trigram',
  expression: 'create index "suppressions_address_trigram" on "suppressions" using gin ("address_norm" gin_trgm_ops)',
})
@Index({
  name: 'suppressions_mailbox_index',
  expression:
    'create index "suppressions_mailbox_index" on "suppressions" ("mailbox_hash") where mailbox_hash is not null',
})
@Unique({
  name: 'suppressions_unique',
  expression:
    'create unique index "suppressions_unique" on "suppressions" ("address_hash", "scope", "owner_id") nulls not distinct',
})
export class Suppression {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @Property({ type: 'text' })
  scope: SuppressionScope;

  /** List owner for scope `owner`. No foreign key, because the suppression outlives the account. */
  @Property({ type: 'uuid', nullable: true })
  ownerId?: string | null;

  /** SHA-256 of the normalised address. */
  @Property({ type: 'blob', columnType: 'bytea' })
  addressHash: Uint8Array;

  /** SHA-256 of the mailbox, set by the database while the address is known; kept after the address is erased. */
  @Property({ type: 'blob', columnType: 'bytea', nullable: true })
  mailboxHash?: Uint8Array | null;

  /** The normalised address; null after its erasure. */
  @Property({ type: 'text', nullable: true })
  addressNorm?: string | null;

  @Property({ type: 'text' })
  reason: SuppressionReason;

  /** Delivery that caused the suppression, if any. */
  @Property({ type: 'uuid', nullable: true })
  sourceDeliveryId?: string | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  /** Null if the suppression never expires, as for unsubscribes and complaints. */
  @Property({ ...timestamp, nullable: true })
  expiresAt?: Date | null;
}

/**
 * A lifted suppression, written by a trigger. A large send that is still being expanded uses the audience as of its
 * acceptance, so the send must still respect the suppression. The row is kept for the time that a send may take.
 */
@Entity({ tableName: 'lifted_suppressions' })
@Index({ name: 'lifted_suppressions_address_index', properties: ['addressHash'] })
@Index({ name: 'lifted_suppressions_lifted_index', properties: ['liftedAt'] })
export class LiftedSuppression {
  /** Id of the suppression. */
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
