import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { newId } from '../../../shared/database/queries/columns.js';
import { retryDeadlocks } from '../../../shared/database/queries/retry-deadlocks.js';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { sqlArray } from '../../../shared/database/queries/sql-array.js';
import { invalid } from '../../../shared/errors/app-error.js';
import { type Address, parseAddress } from '../../../shared/mail/address.js';
import { isUuid } from '../../../shared/text/formats.js';
import { addressKnown, addressTaken, contactNotFound, invalidAddress } from '../contacts.errors.js';
import { Fields } from '../fields/fields.service.js';
import { holdFields } from '../fields/label-mapping.service.js';
import { Tags } from '../tags/tags.service.js';
import { readFieldValues } from '../fields/field-values.js';
import { companyDomain } from './values/company-domain.js';
import { COPIED_COLUMNS, type CopiedProfile, type MembershipOwner, Memberships } from './memberships.registry.js';
import { phoneE164 } from './values/phone-number.js';
import type { CreateProfileDto, UpdateProfileDto } from './profile.dto.js';

/** Columns of a profile's texts. */
const COLUMNS = {
  firstName: 'first_name',
  lastName: 'last_name',
  company: 'company',
  jobTitle: 'job_title',
  phone: 'phone',
  city: 'city',
  region: 'region',
  country: 'country',
  timeZone: 'time_zone',
} as const;

/** Adds, changes and deletes profiles, and updates the values that memberships copy from them. */
@Injectable()
export class ProfileEditor {
  constructor(
    private readonly em: EntityManager,
    private readonly memberships: Memberships,
    private readonly fields: Fields,
    private readonly tags: Tags,
  ) {}

  /**
   * @returns the new profile's id
   * @throws 409 if the address is known or suppressed, 404 for a list or tag of another account
   */
  async create(owner: MembershipOwner, body: CreateProfileDto): Promise<string> {
    const address = required(body.email);
    const listIds = [...new Set((body.listIds ?? []).map((id) => id.toLowerCase()))].sort();
    if (!listIds.every(isUuid)) throw invalid('listIds', 'listIds must be ids of lists');
    const { lists } = this.memberships;
    await lists.requireLists(owner.id, listIds);
    const id = newId();
    await retryDeadlocks(() =>
      inTransaction(this.em, async (em) => {
        if (body.fields) await holdFields(em, owner.id);
        await lists.refuseSuppressed(em, owner.id, address);
        const params = [id, owner.id, address.address, address.norm, address.hash, companyDomain(address.norm)];
        const added = await rows(em, INSERT, params);
        if (added.length === 0) {
          const known = await this.findIdByAddress(em, owner.id, address);
          throw known ? addressKnown(known) : addressTaken();
        }
        const profile = await this.apply(em, owner.id, id, body);
        if (listIds.length > 0) await lists.requireRoom(em, owner.id, listIds.length);
        for (const listId of listIds) await lists.add(em, owner, listId, [profile]);
      }),
    );
    if (listIds.length > 0) await lists.sendOptIns();
    return id;
  }

  /** @throws 404, 400 for invalid values */
  async update(ownerId: string, id: string, body: UpdateProfileDto): Promise<void> {
    await retryDeadlocks(() =>
      inTransaction(this.em, async (em) => {
        if (body.fields) await holdFields(em, ownerId);
        await this.lock(em, ownerId, id);
        const after = await this.apply(em, ownerId, id, body);
        // Names are copied even if the profile's name is unchanged, because a membership may have another name.
        if (body.firstName !== undefined || body.lastName !== undefined)
          await this.memberships.lists.copyNames(em, after);
      }),
    );
  }

  /**
   * Deletes a profile with its memberships and notes. Suppressions, unsubscribe links and the records of sends stay.
   * @throws 404
   */
  async remove(ownerId: string, id: string): Promise<void> {
    await retryDeadlocks(() =>
      inTransaction(this.em, async (em) => {
        await this.lock(em, ownerId, id);
        await this.memberships.lists.remove(em, [id]);
        await changed(em, `delete from contact_profiles where id = ?`, [id]);
      }),
    );
  }

  /**
   * Changes the address of a profile. The new address may belong to another person, so every membership becomes Pending
   * with new links. Old unsubscribe links keep suppressing the old address.
   * @throws 404, 409 if the new address is suppressed or known
   */
  async readdress(ownerId: string, id: string, email: string): Promise<void> {
    const address = required(email);
    const { lists } = this.memberships;
    const change = async (em: EntityManager): Promise<boolean> => {
      const before = await this.lock(em, ownerId, id);
      const isAnother = before.emailNorm !== address.norm;
      // Must run while the profile and its memberships still have the same address, because the address links them.
      if (isAnother) await lists.adopt(em, [id]);
      if (isAnother) await lists.refuseSuppressed(em, ownerId, address);
      const known = isAnother ? await this.findIdByAddress(em, ownerId, address) : null;
      if (known) throw addressKnown(known);
      const [after] = await rows<CopiedProfile>(em, isAnother ? CHANGE_ADDRESS : UPDATE_SPELLING, [
        address.address,
        ...(isAnother ? [address.norm, address.hash, companyDomain(address.norm)] : []),
        id,
      ]);
      if (isAnother) await lists.readdress(em, after!);
      return isAnother;
    };
    const isAnother = await retryDeadlocks(() => inTransaction(this.em, change)).catch((error: unknown) => {
      throw error instanceof UniqueConstraintViolationException ? addressTaken() : error;
    });
    if (isAnother) await lists.sendOptIns();
  }

  private async lock(em: EntityManager, ownerId: string, id: string): Promise<CopiedProfile> {
    const [found] = await rows<CopiedProfile>(
      em,
      `select ${COPIED_COLUMNS} from contact_profiles where id = ? and owner_id = ? for update`,
      [id, ownerId],
    );
    if (!found) throw contactNotFound();
    return found;
  }

  private async findIdByAddress(em: EntityManager, ownerId: string, { hash }: Address): Promise<string | null> {
    const [found] = await rows<{ id: string }>(
      em,
      `select id from contact_profiles where owner_id = ? and email_hash = ?`,
      [ownerId, hash],
    );
    return found?.id ?? null;
  }

  /**
   * Writes the given parts to a profile. The caller's transaction has locked the profile and, if fields are given, the
   * account's fields before it.
   */
  private async apply(em: EntityManager, ownerId: string, id: string, body: UpdateProfileDto): Promise<CopiedProfile> {
    const set: string[] = ['updated_at = now()'];
    const params: unknown[] = [];
    for (const [part, column] of Object.entries(COLUMNS) as [keyof typeof COLUMNS, string][]) {
      if (body[part] === undefined) continue;
      set.push(`${column} = ?`);
      params.push(body[part]);
    }
    if (body.timeZone !== undefined) set.push(`time_zone_source = ${body.timeZone === null ? 'null' : `'hand'`}`);
    if (body.phone !== undefined || body.country !== undefined) {
      const [now] = await rows<{ phone: string | null; country: string | null }>(
        em,
        `select phone, country from contact_profiles where id = ?`,
        [id],
      );
      const phone = body.phone === undefined ? now?.phone : body.phone;
      set.push('phone_e164 = ?');
      params.push(phoneE164(phone, body.country === undefined ? now?.country : body.country));
    }
    if (body.tags !== undefined) {
      await this.tags.require(em, ownerId, body.tags);
      set.push('tag_ids = ?::int[]');
      params.push(sqlArray([...new Set(body.tags)]));
    }
    if (body.fields !== undefined && body.fields !== null) {
      const values = readFieldValues(await this.fields.definitions(ownerId, em), body.fields);
      const entries = [...values];
      set.push('fields = (fields - ?::text[]) || ?::jsonb');
      params.push(
        sqlArray(entries.map(([key]) => key)),
        JSON.stringify(Object.fromEntries(entries.filter(([, value]) => value !== null))),
      );
    }
    const [after] = await rows<CopiedProfile>(
      em,
      `update contact_profiles set ${set.join(', ')} where id = ? and owner_id = ? returning ${COPIED_COLUMNS}`,
      [...params, id, ownerId],
    );
    if (!after) throw contactNotFound();
    return after;
  }
}

const INSERT = `
  insert into contact_profiles (id, owner_id, email, email_norm, email_hash, company_domain, source) values (?, ?, ?, ?, ?, ?, 'owner')
  on conflict (owner_id, email_hash) do nothing returning id`;

const UPDATE_SPELLING = `update contact_profiles set email = ?, updated_at = now() where id = ? returning ${COPIED_COLUMNS}`;

const CHANGE_ADDRESS = `
  update contact_profiles set email = n.email, email_norm = n.email_norm, email_hash = n.email_hash, company_domain = n.company_domain, updated_at = now(),
    earlier_addresses = earlier_addresses || jsonb_build_array(jsonb_build_object('email', contact_profiles.email, 'norm', contact_profiles.email_norm, 'at', now()))
  from (select ?::text as email, ?::text as email_norm, ?::bytea as email_hash, ?::text as company_domain) n
  where contact_profiles.id = ? returning ${COPIED_COLUMNS}`;

function required(email: string): Address {
  const address = parseAddress(email);
  if (!address) throw invalidAddress();
  return address;
}
