import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Module } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import type { Address } from '../../../shared/mail/address.js';
import { wholeAddress } from '../../../shared/mail/whole-address.js';
import { ERASED } from '../do-not-send/reason-labels.js';
import { DataSubjectSource } from '../../../shared/personal-data.js';

/**
 * Personal data in contacts: profiles with their fields, tags and notes, and do-not-send rules that name the address.
 */
@Injectable()
export class ProfilePersonalData extends DataSubjectSource {
  async export(em: EntityManager, { hash }: Address): Promise<Record<string, object[]>> {
    const [profiles, notes, rules] = await Promise.all([
      rows(
        em,
        `select p.email, p.first_name as "firstName", p.last_name as "lastName", p.company, p.job_title as "jobTitle", p.phone, p.city, p.region, p.country, p.time_zone as "timeZone",
           p.fields, (select coalesce(json_agg(t.name order by t.name), '[]'::json) from contact_tags t where t.id = any (p.tag_ids) and t.owner_id = p.owner_id) as tags,
           p.earlier_addresses as "earlierAddresses", p.source, p.created_at as "createdAt", p.updated_at as "updatedAt"
         from contact_profiles p where p.email_hash = ? order by p.created_at`,
        [hash],
      ),
      rows(
        em,
        `select n.body, n.created_at as "createdAt" from contact_notes n join contact_profiles p on p.id = n.profile_id where p.email_hash = ? order by n.created_at`,
        [hash],
      ),
      rows(
        em,
        `select r.reason, r.note, r.expires_at as "until", r.created_at as "createdAt" from do_not_send_rules r where r.address_hash = ? order by r.created_at`,
        [hash],
      ),
    ]);
    return { profiles, notes, doNotSend: rules };
  }

  /**
   * Deletes the person's profiles; fields, tags, notes and activity are deleted with them. Removes the address from the
   * former addresses of other profiles too.
   */
  async erase(em: EntityManager, { hash, norm }: Address): Promise<number> {
    const profiles = await changed(em, `delete from contact_profiles where email_hash = ?`, [hash]);
    const renamed = await changed(
      em,
      `update contact_profiles set earlier_addresses = (select coalesce(jsonb_agg(e), '[]'::jsonb) from jsonb_array_elements(earlier_addresses) e where e ->> 'norm' is distinct from ?)
       where earlier_addresses @> jsonb_build_array(jsonb_build_object('norm', ?::text))`,
      [norm, norm],
    );
    const searches = await changed(
      em,
      `delete from contact_bulk_jobs where finished_at is not null and lower(selection #>> '{filter,search}') = ?`,
      [norm],
    );
    // The rules stay in force, because they match by hash.
    const rules = await changed(
      em,
      `update do_not_send_rules set value = ? || encode(address_hash, 'hex'), note = null where address_hash = ? and value = ?`,
      [ERASED, hash, norm],
    );
    return profiles + renamed + searches + rules + (await eraseFromSegments(em, norm));
  }
}

/** Placeholder for an erased person's address in a segment's rules. It matches no address. */
const ERASED_ADDRESS = 'erased';

/**
 * Replaces the address in segment rules by a placeholder. If these rules were removed instead, the segment could match
 * everybody.
 */
async function eraseFromSegments(em: EntityManager, norm: string): Promise<number> {
  const found = await rows<{ id: string; filter: unknown }>(
    em,
    `select id, filter from segments where strpos(lower(filter::text), ?) > 0 order by id for update`,
    [norm],
  );
  const named = wholeAddress(norm);
  const erased = (_key: string, value: unknown): unknown =>
    typeof value === 'string' ? value.replace(named, ERASED_ADDRESS) : value;
  let count = 0;
  for (const { id, filter } of found) {
    const text = JSON.stringify(filter, erased);
    if (text === JSON.stringify(filter)) continue;
    count += await changed(em, `update segments set filter = ?::jsonb, version = version + 1 where id = ?`, [text, id]);
  }
  return count;
}

@Module({ providers: [ProfilePersonalData], exports: [ProfilePersonalData] })
export class ProfilePersonalDataModule {}
