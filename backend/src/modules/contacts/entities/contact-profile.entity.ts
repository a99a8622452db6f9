import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, uuidKey } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';
import { PROFILE_SOURCES, type ProfileSource, TIME_ZONE_SOURCES, type TimeZoneSource } from '../contacts.constants.js';

/**
 * What one account knows of one address, across all lists that the address is on. Members of the default list have no
 * profiles.
 */
@Entity({ tableName: 'contact_profiles' })
@Check({ name: 'contact_profiles_source_check', expression: oneOf('source', PROFILE_SOURCES) })
@Check({ name: 'contact_profiles_zone_source_check', expression: oneOf('time_zone_source', TIME_ZONE_SOURCES) })
@Unique({ name: 'contact_profiles_address_unique', properties: ['ownerId', 'emailHash'] })
@Index({ name: 'contact_profiles_created_index', properties: ['ownerId', 'createdAt', 'id'] })
@Index({
  name: 'contact_profiles_domain_index',
  expression:
    'create index "contact_profiles_domain_index" on "contact_profiles" ("owner_id", "company_domain") where company_domain is not null',
})
@Index({
  name: 'contact_profiles_name_index',
  expression: `create index "contact_profiles_name_index" on "contact_profiles" ("owner_id", (lower(coalesce(last_name, first_name, '')) collate "C"), "id")`,
})
@Index({
  name: 'contact_profiles_first_name_index',
  expression: `create index "contact_profiles_first_name_index" on "contact_profiles" ("owner_id", (lower(first_name) collate "C")) where first_name is not null`,
})
@Index({
  name: 'contact_profiles_company_index',
  expression: `create index "contact_profiles_company_index" on "contact_profiles" ("owner_id", (lower(coalesce(company, '')) collate "C"), "id")`,
})
@Index({
  name: 'contact_profiles_email_index',
  expression: `create index "contact_profiles_email_index" on "contact_profiles" ("owner_id", (email_norm collate "C"))`,
})
@Index({
  name: 'contact_profiles_bucket_index',
  expression: `create index "contact_profiles_bucket_index" on "contact_profiles" ("owner_id", (get_byte(email_hash, 0)))`,
})
@Index({ name: 'contact_profiles_order_index', properties: ['ownerId', 'id'] })
@Index({ name: 'contact_profiles_hash_index', properties: ['emailHash'] })
@Index({
  name: 'contact_profiles_tags_index',
  expression: `create index "contact_profiles_tags_index" on "contact_profiles" using gin ("tag_ids") where tag_ids <> '{}'`,
})
@Index({
  name: 'contact_profiles_skills_index',
  expression: `create index "contact_profiles_skills_index" on "contact_profiles" using gin ("skill_ids") where skill_ids <> '{}'`,
})
export class ContactProfile {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'owner_id', deleteRule: 'cascade' })
  ownerId: string;

  /** Address as typed. */
  @Property({ type: 'text' })
  email: string;

  @Property({ type: 'text' })
  emailNorm: string;

  /** SHA-256 of the normalised address; unique within the account. */
  @Property({ type: 'blob', columnType: 'bytea' })
  emailHash: Uint8Array;

  @Property({ type: 'text', nullable: true })
  firstName?: string | null;

  @Property({ type: 'text', nullable: true })
  lastName?: string | null;

  @Property({ type: 'text', nullable: true })
  company?: string | null;

  /** Registrable domain of the address; null for free-mail domains. */
  @Property({ type: 'text', nullable: true })
  companyDomain?: string | null;

  @Property({ type: 'text', nullable: true })
  jobTitle?: string | null;

  /** Phone number as typed. */
  @Property({ type: 'text', nullable: true })
  phone?: string | null;

  /** Phone number in E.164; null if it could not be parsed. */
  @Property({ type: 'text', nullable: true })
  phoneE164?: string | null;

  @Property({ type: 'text', nullable: true })
  city?: string | null;

  @Property({ type: 'text', nullable: true })
  region?: string | null;

  /** Country code, ISO 3166-1 alpha-2. */
  @Property({ type: 'text', nullable: true })
  country?: string | null;

  @Property({ type: 'text', nullable: true })
  timeZone?: string | null;

  @Property({ type: 'text', nullable: true })
  timeZoneSource?: TimeZoneSource | null;

  @Property({ columnType: 'int[]', type: 'array', defaultRaw: `'{}'` })
  tagIds: Opt<number[]>;

  @Property({ columnType: 'int[]', type: 'array', defaultRaw: `'{}'` })
  skillIds: Opt<number[]>;

  /** Values of the account's custom fields, by key. */
  @Property({ type: 'json', default: '{}' })
  fields: Opt<Record<string, unknown>>;

  @Property({ type: 'text' })
  source: ProfileSource;

  @Property({ type: 'uuid', nullable: true })
  importId?: string | null;

  @Property({ type: 'integer', nullable: true })
  importLine?: number | null;

  /** Former addresses with the time of each change, oldest first. */
  @Property({ type: 'json', default: '[]' })
  earlierAddresses: Opt<{ email: string; at: string }[]>;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...createdAtColumn })
  updatedAt: Opt<Date>;
}
