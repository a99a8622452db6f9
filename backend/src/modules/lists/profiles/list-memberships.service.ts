import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { contains } from '../../../shared/database/queries/keyset.js';
import { changed, rows, type SqlPart } from '../../../shared/database/queries/rows.js';
import { sqlArray } from '../../../shared/database/queries/sql-array.js';
import type { Client } from '../../../shared/http/index.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { type Address, hashAddress } from '../../../shared/mail/address.js';
import { mintToken } from '../../../shared/tokens/tokens.js';
import {
  type CopiedProfile,
  type MembershipOwner,
  type MembershipRefusal,
  Memberships,
  MembershipSource,
  type ProfileMembership,
} from '../../contacts/index.js';
import { contactTypeOf } from '../list-owners.service.js';
import { listNotFound, suppressedAddress } from '../lists.errors.js';
import { PlanLimits } from '../my-lists/plan-limits.service.js';
import { IN_TABLE, SUPPRESSION_APPLIES, IN_FORCE } from '../unsubscribe/suppression-sql.js';
import { Suppressions } from '../unsubscribe/suppressions.service.js';
import { CONSENT, consentIs, mailableOn, OWN_MEMBERSHIPS } from './consent-conditions.js';
import { MembershipNames } from './membership-names.js';

const fullName = ({ firstName, lastName }: Pick<CopiedProfile, 'firstName' | 'lastName'>): string | null =>
  [firstName, lastName].filter(Boolean).join(' ') || null;

/** Memberships of the account's own lists, as profiles need them. The shared network is never included. */
@Injectable()
export class ListMemberships extends MembershipSource implements OnModuleInit {
  readonly consentSql = CONSENT;
  readonly listIdsSql = LIST_IDS;
  readonly consentIs = consentIs;
  readonly mailable = mailableOn;

  constructor(
    private readonly em: EntityManager,
    private readonly registry: Memberships,
    private readonly suppressions: Suppressions,
    private readonly limits: PlanLimits,
    private readonly names: MembershipNames,
    private readonly jobs: JobQueue,
  ) {
    super();
  }

  onModuleInit(): void {
    this.registry.provide(this);
  }

  onList(listId: string): SqlPart {
    return {
      sql: `p.id in (select c.profile_id from subscriptions c where c.email_list_id = ? and c.profile_id is not null and ${IN_TABLE})`,
      params: [listId],
    };
  }

  addressContains(ownerId: string, text: string): SqlPart {
    return {
      sql: `select c.profile_id from subscriptions c where c.email_norm like ? and c.profile_id is not null
        and c.email_list_id in (select l.id from email_lists l where l.owner_id = ?)`,
      params: [contains(text), ownerId],
    };
  }

  async requireLists(ownerId: string, listIds: readonly string[]): Promise<void> {
    const wanted = [...new Set(listIds)];
    if (wanted.length === 0) return;
    const found = await rows(
      this.em.fork(),
      `select id from email_lists where id = any (?::uuid[]) and owner_id = ? and deleted_at is null and not is_default`,
      [sqlArray(wanted), ownerId],
    );
    if (found.length !== wanted.length) throw listNotFound();
  }

  of(profileId: string): Promise<ProfileMembership[]> {
    return rows<ProfileMembership>(this.em.fork(), OF_PROFILE, [profileId]);
  }

  async leftAt(profileId: string): Promise<Date | null> {
    const [found] = await rows<{ at: string | Date | null }>(this.em.fork(), LEFT_AT, [profileId, profileId]);
    return found?.at ? new Date(found.at) : null;
  }

  async refuseSuppressed(em: EntityManager, ownerId: string, address: Address): Promise<void> {
    const reason = await this.suppressions.reasonFor(address.hash, ownerId, em);
    if (reason) throw suppressedAddress(reason);
  }

  async add(
    em: EntityManager,
    owner: MembershipOwner,
    listId: string,
    profiles: readonly CopiedProfile[],
  ): Promise<Map<string, MembershipRefusal>> {
    const given = profiles.map((profile) => ({
      profile_id: profile.id,
      email: profile.email,
      email_norm: profile.emailNorm,
      email_hash: hashAddress(profile.emailNorm).toString('hex'),
      company_domain: profile.companyDomain,
      name: fullName(profile),
      first_name: profile.firstName,
      last_name: profile.lastName,
      token: mintToken(),
    }));
    const refused = await rows<{ id: string; reason: MembershipRefusal }>(em, REFUSED, [
      JSON.stringify(given),
      listId,
      owner.id,
      owner.id,
    ]);
    const reasons = new Map(refused.map(({ id, reason }) => [id, reason]));
    const open = given.filter(({ profile_id: id }) => !reasons.has(id));
    if (open.length === 0) return reasons;
    const room = (await this.limits.roomFor(em, owner.id)) ?? open.length;
    for (const { profile_id: id } of open.slice(room)) reasons.set(id, 'plan_limit');
    const fitting = open.slice(0, room);
    const added = await rows<{ id: string }>(em, ADD, [contactTypeOf(owner.role), listId, JSON.stringify(fitting)]);
    const done = new Set(added.map(({ id }) => id));
    for (const { profile_id: id } of fitting) if (!done.has(id)) reasons.set(id, 'exists');
    return reasons;
  }

  requireRoom(em: EntityManager, ownerId: string, count: number): Promise<void> {
    return this.limits.reserveContacts(em, ownerId, count);
  }

  async remove(em: EntityManager, profileIds: readonly string[], listId?: string): Promise<void> {
    await this.adopt(em, profileIds);
    const params = [sqlArray(profileIds), listId ?? null, listId ?? null];
    await changed(em, RETIRE_LINKS, params);
    await changed(em, `delete from subscriptions c where ${CHOSEN}`, params);
    await changed(
      em,
      `delete from removed_contacts r where (r.contact ->> 'profile_id')::uuid = any (?::uuid[]) and ?::uuid is null`,
      [sqlArray(profileIds), listId ?? null],
    );
  }

  async copyNames(em: EntityManager, profile: CopiedProfile): Promise<void> {
    await this.adopt(em, [profile.id]);
    await this.names.copy(em, profile.id, { ...profile, name: fullName(profile) });
  }

  async readdress(em: EntityManager, profile: CopiedProfile): Promise<void> {
    await changed(em, RETIRE_LINKS, [sqlArray([profile.id]), null, null]);
    const memberships = await rows<{ id: string }>(
      em,
      `select id from subscriptions where profile_id = ? order by id for update`,
      [profile.id],
    );
    await changed(em, CHANGE_ADDRESS, [
      profile.email,
      profile.emailNorm,
      hashAddress(profile.emailNorm),
      profile.companyDomain,
      JSON.stringify(memberships.map(({ id }) => ({ id, token: mintToken() }))),
    ]);
  }

  async adopt(em: EntityManager, profileIds: readonly string[]): Promise<void> {
    await changed(em, ADOPT, [sqlArray(profileIds)]);
  }

  async withdraw(
    em: EntityManager,
    ownerId: string,
    people: readonly { address: Address; note: string | null }[],
    client: Client,
  ): Promise<void> {
    await this.suppressions.lock(
      em,
      people.map(({ address }) => address.hash),
    );
    await this.suppressions.addMany(
      em,
      people.map(({ address: { hash, norm }, note }) => ({
        scopes: [{ scope: 'owner', ownerId }],
        suppressed: { addressHash: hash, addressNorm: norm, reason: 'unsubscribed' },
        evidence: { kind: 'withdrawn', how: 'owner', ownerId, client, note },
      })),
    );
  }

  sendOptIns(): Promise<void> {
    return this.jobs.kick('opt-in');
  }
}

const LIST_IDS = `array(
  select c.email_list_id from ${OWN_MEMBERSHIPS})`;

const OF_PROFILE = `
  select l.id, l.name, c.id as "membershipId", coalesce(c.suppressed, case when c.confirmed then 'confirmed' else 'pending' end) as status, c.subscription_type as "subscriptionType"
  from subscriptions c join email_lists l on l.id = c.email_list_id and l.deleted_at is null
  where c.profile_id = ? order by lower(l.name), l.id`;

const LEFT_AT = `
  select max(l.at) as at from (
    select c.unsubscribed_at as at from subscriptions c where c.profile_id = ? and c.suppressed = 'unsubscribed'
    union all
    select s.created_at from contact_profiles p join suppressions s on s.address_hash = p.email_hash
    where p.id = ? and s.reason = 'unsubscribed' and ${IN_FORCE} and (s.scope = 'all' or (s.scope = 'owner' and s.owner_id = p.owner_id))
  ) l`;

const CHOSEN = `c.profile_id = any (?::uuid[]) and (?::uuid is null or c.email_list_id = ?::uuid)`;

const ADOPT = `
  update subscriptions c set profile_id = p.id, company_domain = p.company_domain
  from contact_profiles p, email_lists l
  where p.id = any (?::uuid[]) and c.profile_id is null and l.id = c.email_list_id and l.owner_id = p.owner_id and not l.is_default
    and c.email_hash = p.email_hash`;

const RETIRE_LINKS = `
  insert into retired_unsubscribe_links (token, email, email_norm, email_hash, owner_id, email_list_id, list_name)
  select c.unsubscribe_token, c.email, c.email_norm, c.email_hash, l.owner_id, l.id, l.name
  from subscriptions c join email_lists l on l.id = c.email_list_id where ${CHOSEN} on conflict (token) do nothing`;

const GIVEN = `jsonb_to_recordset(?::jsonb) as g(profile_id uuid, email text, email_norm text, email_hash text, company_domain text, name text, first_name text, last_name text, token text)`;

const REFUSED = `
  select g.profile_id as id,
    case when exists (select 1 from subscriptions c where c.email_list_id = o.list_id and c.email_norm = g.email_norm) then 'exists' else 'suppressed' end as reason
  from ${GIVEN} cross join (select ?::uuid as list_id) o
  where exists (select 1 from subscriptions c where c.email_list_id = o.list_id and c.email_norm = g.email_norm)
     or exists (select 1 from suppressions s where s.address_hash = decode(g.email_hash, 'hex') and ${SUPPRESSION_APPLIES})`;

const ADD = `
  insert into subscriptions (email, email_norm, email_hash, name, first_name, last_name, subscription_type, unsubscribe_token, email_list_id, source, opt_in_state, profile_id, company_domain)
  select g.email, g.email_norm, decode(g.email_hash, 'hex'), g.name, g.first_name, g.last_name, o.contact_type, g.token, o.list_id, 'owner', 'due', g.profile_id, g.company_domain
  from (select ?::text as contact_type, ?::uuid as list_id) o cross join ${GIVEN}
  order by g.email_norm on conflict (email_list_id, email_norm) do nothing returning profile_id as id`;

const CHANGE_ADDRESS = `
  update subscriptions c set email = n.email, email_norm = n.email_norm, email_hash = n.email_hash, company_domain = n.company_domain, unsubscribe_token = t.token,
    confirmed = false, confirmed_at = null, confirmation_token = null, confirmation_token_expires = null, confirmation_sent_at = null, confirmation_resent_at = null,
    opt_in_state = 'due', opt_in_due_at = now(), opt_in_source = null, opt_in_type = null, confirmation_source = null, confirmation_type = null, suppressed = null,
    unsubscribed_at = null, introduction_due = false, import_id = null, consent = null, source = 'owner'
  from (select ?::text as email, ?::text as email_norm, ?::bytea as email_hash, ?::text as company_domain) n, jsonb_to_recordset(?::jsonb) as t(id uuid, token text)
  where c.id = t.id`;
