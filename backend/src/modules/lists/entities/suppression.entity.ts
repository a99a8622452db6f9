import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../../shared/database/columns.js';
import { SUPPRESSION_REASONS, SUPPRESSION_SCOPES, type SuppressionReason, type SuppressionScope } from '../../../shared/words/suppression.js';

/** An address that must not be mailed, with its scope. Kept as a hash, so that it outlives contact, list and account (guide/email.md §7). */
@Entity({ tableName: 'suppressions' })
@Check({ name: 'suppressions_scope_check', expression: oneOf('scope', SUPPRESSION_SCOPES) })
@Check({ name: 'suppressions_reason_check', expression: oneOf('reason', SUPPRESSION_REASONS) })
@Check({ name: 'suppressions_owner_check', expression: `(scope = 'owner') = (owner_id is not null)` })
@Index({ name: 'suppressions_created_index', properties: ['createdAt', 'id'] })
@Index({ name: 'suppressions_address_trigram', expression: 'create index "suppressions_address_trigram" on "suppressions" using gin ("address_norm" gin_trgm_ops)' })
@Index({ name: 'suppressions_mailbox_index', expression: 'create index "suppressions_mailbox_index" on "suppressions" ("mailbox_hash") where mailbox_hash is not null' })
@Unique({ name: 'suppressions_unique', expression: 'create unique index "suppressions_unique" on "suppressions" ("address_hash", "scope", "owner_id") nulls not distinct' })
export class Suppression {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @Property({ type: 'text' })
  scope: SuppressionScope;

  /** Of scope owner; no foreign key, since it outlives the account. */
  @Property({ type: 'uuid', nullable: true })
  ownerId?: string | null;

  /** SHA-256 of the normalised address. */
  @Property({ type: 'blob', columnType: 'bytea' })
  addressHash: Uint8Array;

  /** SHA-256 of the mailbox behind the address, set by the database where the address is given; outlives it. */
  @Property({ type: 'blob', columnType: 'bytea', nullable: true })
  mailboxHash?: Uint8Array | null;

  /** The address itself while anybody may still see it; null once its data was erased. */
  @Property({ type: 'text', nullable: true })
  addressNorm?: string | null;

  @Property({ type: 'text' })
  reason: SuppressionReason;

  /** The delivery that led to it, where one did. */
  @Property({ type: 'uuid', nullable: true })
  sourceDeliveryId?: string | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  /** Unsubscribes and complaints never expire (null). */
  @Property({ ...timestamp, nullable: true })
  expiresAt?: Date | null;
}
