import { PrimaryKeyProp } from '@mikro-orm/core';
import { Check, Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { oneOf } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';
import { COMPANY_KINDS, type CompanyKind, CONTACT_LIMITS } from '../contacts.constants.js';

/**
 * The name, kind, cap and note that an account set for a company. Most companies have no row and are known only by the
 * domain of their contacts.
 */
@Entity({ tableName: 'companies' })
@Check({ name: 'companies_kind_check', expression: oneOf('kind', COMPANY_KINDS) })
@Check({
  name: 'companies_cap_check',
  expression: `max_per_send >= 1 and max_per_send <= ${CONTACT_LIMITS.companyCap}`,
})
export class Company {
  [PrimaryKeyProp]?: ['ownerId', 'domain'];

  @ManyToOne(() => User, { primary: true, mapToPk: true, fieldName: 'owner_id', deleteRule: 'cascade' })
  ownerId: string;

  /** Registrable domain of the company's addresses. */
  @PrimaryKey({ type: 'text' })
  domain: string;

  @Property({ type: 'text', nullable: true })
  name?: string | null;

  @Property({ type: 'text', nullable: true })
  kind?: CompanyKind | null;

  /** Maximum number of the company's people that one send reaches; null means no limit. */
  @Property({ type: 'integer', nullable: true })
  maxPerSend?: number | null;

  @Property({ type: 'text', nullable: true })
  note?: string | null;
}
