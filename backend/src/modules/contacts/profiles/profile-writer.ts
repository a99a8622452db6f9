import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from '../../../shared/database/queries/rows.js';
import type { Address } from '../../../shared/mail/address.js';
import type { ProfileSource } from '../contacts.constants.js';
import { companyDomain } from './values/company-domain.js';
import { copiedNames, INCOMING_COLUMNS, upsertProfiles } from './profile-upsert.js';

/** Data about a person that comes with a new membership. */
export interface IncomingContact {
  ownerId: string;
  address: Address;
  name?: string | null;
  firstName?: string | null;
  lastName?: string | null;
  source: ProfileSource;
}

/** A profile's id, with the values that a membership copies from it. */
export interface ProfileCopy {
  id: string;
  companyDomain: string | null;
  name: string | null;
  firstName: string | null;
  lastName: string | null;
}

/**
 * Creates or completes the profile of an address within the caller's transaction, and locks the profile until the
 * transaction ends.
 */
export async function writeProfile(em: EntityManager, contact: IncomingContact): Promise<ProfileCopy> {
  const { ownerId, address, name = null, firstName = null, lastName = null, source } = contact;
  const domain = companyDomain(address.norm);
  const [copy] = await rows<Omit<ProfileCopy, 'companyDomain'>>(em, WRITE_ONE, [
    ownerId,
    address.address,
    address.norm,
    address.hash,
    domain,
    name,
    firstName,
    lastName,
    source,
  ]);
  return { ...copy!, companyDomain: domain };
}

const COPY = copiedNames('p', 'g');
const WRITE_ONE = `
  with given as (
    select ?::uuid as owner_id, ?::text as email, ?::text as email_norm, ?::bytea as email_hash, ?::text as company_domain, ?::text as name, ?::text as first_name, ?::text as last_name,
      null::text as company, null::text as job_title, null::text as phone, null::text as phone_e164, null::text as city, null::text as region, null::text as country, null::text as time_zone, '{}'::int[] as tag_ids, '{}'::jsonb as fields,
      ?::text as source, null::uuid as import_id, null::int as import_line, now() as created_at
  ), p as (${upsertProfiles(`(select ${INCOMING_COLUMNS} from given) rows`)})
  select p.id, ${COPY.name} as name, ${COPY.first} as "firstName", ${COPY.last} as "lastName" from p, given g`;

/** Locks a profile until the transaction ends. Lock it before its memberships, so that two changes cannot deadlock. */
export async function lockProfile(em: EntityManager, profileId: string): Promise<void> {
  await rows(em, `select id from contact_profiles where id = ? for update`, [profileId]);
}

/** Replaces a profile's names, within the caller's transaction. */
export async function setProfileNames(
  em: EntityManager,
  profileId: string,
  { firstName, lastName }: { firstName: string | null; lastName: string | null },
): Promise<void> {
  await rows(
    em,
    `update contact_profiles set first_name = ?, last_name = ?, updated_at = now()
     where id = ? and (first_name, last_name) is distinct from (?::text, ?::text)`,
    [firstName, lastName, profileId, firstName, lastName],
  );
}
