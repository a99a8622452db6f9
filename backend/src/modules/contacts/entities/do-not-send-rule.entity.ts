import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';
import { RULE_KINDS, RULE_REASONS, type RuleKind, type RuleReason } from '../contacts.constants.js';

/**
 * An address or a domain to which an account chose not to send. Unlike a suppression, it changes nobody's consent and
 * the account can delete it.
 */
@Entity({ tableName: 'do_not_send_rules' })
@Check({ name: 'do_not_send_rules_kind_check', expression: oneOf('kind', RULE_KINDS) })
@Check({ name: 'do_not_send_rules_reason_check', expression: oneOf('reason', RULE_REASONS) })
@Check({ name: 'do_not_send_rules_address_check', expression: `(kind = 'address') = (address_hash is not null)` })
@Unique({ name: 'do_not_send_rules_value_unique', properties: ['ownerId', 'value'] })
@Index({ name: 'do_not_send_rules_created_index', properties: ['ownerId', 'createdAt', 'id'] })
@Index({
  name: 'do_not_send_rules_address_index',
  expression:
    'create index "do_not_send_rules_address_index" on "do_not_send_rules" ("address_hash") where address_hash is not null',
})
@Index({
  name: 'do_not_send_rules_expiry_index',
  expression:
    'create index "do_not_send_rules_expiry_index" on "do_not_send_rules" ("expires_at") where expires_at is not null',
})
export class DoNotSendRule {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'owner_id', deleteRule: 'cascade' })
  ownerId: string;

  @Property({ type: 'text' })
  kind: RuleKind;

  /**
   * A normalised address, or a domain that includes its subdomains. If the person is erased, a placeholder replaces the
   * address.
   */
  @Property({ type: 'text' })
  value: string;

  /** Registrable domain of a domain rule; null for free-mail domains. */
  @Property({ type: 'text', nullable: true })
  companyDomain?: string | null;

  /** SHA-256 of the address. It stays when the person is erased, so that the rule remains in force. */
  @Property({ type: 'blob', columnType: 'bytea', nullable: true })
  addressHash?: Uint8Array | null;

  @Property({ type: 'text' })
  reason: RuleReason;

  @Property({ type: 'text', nullable: true })
  note?: string | null;

  /** End of the rule; null means permanent. */
  @Property({ ...timestamp, nullable: true })
  expiresAt?: Date | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
