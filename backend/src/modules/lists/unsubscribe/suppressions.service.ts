import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import type { SuppressionReason, SuppressionScope } from '../../../shared/enums.js';
import { type ConsentFact, WORDING_VERSION } from './consent-log.js';
import { SUPPRESSION_APPLIES, IN_FORCE } from './suppression-sql.js';

/** An address to suppress, with scope and reason. */
export interface NewSuppression {
  scope: SuppressionScope;
  /** Owner for scope `owner`. */
  ownerId?: string | null;
  addressHash: Buffer;
  addressNorm?: string | null;
  reason: SuppressionReason;
  sourceDeliveryId?: string | null;
  /** Days until the suppression expires; null if it never expires. */
  days?: number | null;
}

/** An address that bounced. */
export interface BouncedAddress {
  addressHash: Buffer;
  addressNorm: string | null;
  sourceDeliveryId: string;
}

type Reach = Pick<NewSuppression, 'scope' | 'ownerId'>;

/** Details for the consent log. */
export type Evidence = Pick<ConsentFact, 'kind' | 'how' | 'contactId' | 'emailListId' | 'ownerId' | 'client'> & {
  /** The account's note about the suppression. */
  note?: string | null;
};

/** One address with all suppressions that are requested for it. */
export interface AskedSuppression {
  scopes: readonly Reach[];
  suppressed: Omit<NewSuppression, keyof Reach>;
  evidence?: Evidence;
}

/** Adds and finds suppressed addresses. */
@Injectable()
export class Suppressions {
  constructor(private readonly em: EntityManager) {}

  /**
   * Locks addresses until the transaction ends. Take the lock before reading: otherwise an unsubscribe may miss a
   * removed contact while the contact's restore misses the unsubscribe, and the contact returns without its mark.
   */
  async lock(em: EntityManager, addressHashes: readonly Buffer[]): Promise<void> {
    await rows(
      em,
      `select pg_advisory_xact_lock(k.key) from (
         select distinct hashtextextended('lists.address:' || value, 0) as key from jsonb_array_elements_text(?::jsonb) order by 1
       ) k`,
      [JSON.stringify(addressHashes.map((hash) => hash.toString('hex')))],
    );
  }

  /**
   * Why an address is suppressed on the lists of this owner (null for the default list).
   * @returns null if the address is not suppressed
   */
  async reasonFor(addressHash: Buffer, ownerId: string | null, em = this.em): Promise<SuppressionReason | null> {
    const [found] = await rows<{ reason: SuppressionReason }>(
      em,
      `select s.reason from suppressions s where s.address_hash = ? and ${SUPPRESSION_APPLIES} order by s.reason = 'bounced', s.created_at limit 1`,
      [addressHash, ownerId, ownerId],
    );
    return found?.reason ?? null;
  }

  /**
   * The addresses, as hex hashes, that must get no mail of any kind: they unsubscribed from everything, complained or
   * bounced.
   */
  async takeNothing(em: EntityManager, addressHashes: readonly Buffer[]): Promise<Set<string>> {
    const found = await rows<{ hash: string }>(
      em,
      `select distinct encode(s.address_hash, 'hex') as hash from suppressions s
       where s.address_hash = any (array(select decode(value, 'hex') from jsonb_array_elements_text(?::jsonb)))
         and ${IN_FORCE} and (s.scope = 'all' or s.reason = 'complained')`,
      [JSON.stringify(addressHashes.map((hash) => hash.toString('hex')))],
    );
    return new Set(found.map(({ hash }) => hash));
  }

  /**
   * Suppresses an address and marks its contacts, within the caller's transaction. An unsubscribe or complaint outranks
   * a bounce.
   * @returns false if the address was already suppressed
   */
  async add(em: EntityManager, suppression: NewSuppression): Promise<boolean> {
    return (await this.addAll(em, [suppression], suppression)).length > 0;
  }

  /** `add` for several scopes, with evidence for the consent log. @returns newly suppressed scopes */
  async addAll(
    em: EntityManager,
    scopes: readonly Reach[],
    suppressed: Omit<NewSuppression, keyof Reach>,
    evidence?: Evidence,
  ): Promise<SuppressionScope[]> {
    const [added] = await this.addMany(em, [{ scopes, suppressed, evidence }]);
    return added!;
  }

  /**
   * `addAll` for several addresses in one statement, which keeps the locks on lists' counters short. An address may
   * occur more than once; the first request wins.
   * @returns newly suppressed scopes by address
   */
  async addMany(em: EntityManager, asked: readonly AskedSuppression[]): Promise<SuppressionScope[][]> {
    const items = asked.map(({ scopes, suppressed, evidence }, n) => {
      const { addressHash, addressNorm = null, reason, sourceDeliveryId = null, days = null } = suppressed;
      const { kind, how, contactId, emailListId, ownerId, client, note } = evidence ?? {};
      return {
        n,
        hash: addressHash.toString('hex'),
        norm: addressNorm,
        reason,
        source: sourceDeliveryId,
        days,
        scopes: scopes.map((one, at) => ({ at, scope: one.scope, owner_id: one.ownerId ?? null })),
        kind,
        how,
        contact_id: contactId,
        email_list_id: emailListId,
        owner_id: ownerId,
        ip: client?.ip,
        user_agent: client?.userAgent,
        note,
      };
    });
    const added = await rows<{ n: number; scope: SuppressionScope }>(em, ADD, [JSON.stringify(items), WORDING_VERSION]);
    return items.map(({ n }) => added.filter((one) => one.n === n).map(({ scope }) => scope));
  }

  /**
   * Suppresses bounced addresses for all senders, each at most once, and marks their contacts: one statement in the
   * caller's transaction.
   */
  async addBounced(em: EntityManager, addresses: readonly BouncedAddress[], days: number): Promise<void> {
    if (addresses.length === 0) return;
    const wanted = addresses.map(({ addressHash, addressNorm, sourceDeliveryId }) => ({
      hash: addressHash.toString('hex'),
      norm: addressNorm,
      source: sourceDeliveryId,
    }));
    await rows(em, ADD_BOUNCED, [JSON.stringify(wanted), days]);
  }
}

/** SQL: an existing suppression takes over the later expiry; a suppression without expiry stays. */
const LATER_END = `
    on conflict (address_hash, scope, owner_id) do update
      set reason = excluded.reason, source_delivery_id = excluded.source_delivery_id, created_at = now(), expires_at = excluded.expires_at
      where suppressions.expires_at is not null and (excluded.expires_at is null or excluded.expires_at > suppressions.expires_at)`;

/** SQL condition: a new suppression marks the contact. It replaces a bounce, but keeps the person's own decision. */
const CAN_BE_MARKED = `(c.suppressed is null or c.suppressed = 'bounced')`;

const ADD_BOUNCED = `
  with wanted as (
    select decode(w.hash, 'hex') as address_hash, w.norm, w.source from jsonb_to_recordset(?::jsonb) as w(hash text, norm text, source uuid)
  ), added as (
    insert into suppressions (scope, address_hash, address_norm, reason, source_delivery_id, expires_at)
    select 'all', w.address_hash, w.norm, 'bounced', w.source, now() + make_interval(days => ?::int) from wanted w order by w.address_hash
    ${LATER_END}
    returning address_hash
  )
  update subscriptions c set suppressed = 'bounced', opt_in_state = case when c.opt_in_state in ('due', 'held') then 'none' else c.opt_in_state end
  from added a where c.email_hash = a.address_hash and ${CAN_BE_MARKED}`;

/**
 * Writes suppressions, the contacts' marks (shown in the table, counted by triggers) and the consent log. Parameters:
 * items, wording version.
 */
const ADD = `
  with asked as materialized (
    select decode(i.hash, 'hex') as address_hash, i.* from jsonb_to_recordset(?::jsonb) as i(
      n int, hash text, norm text, reason text, source uuid, days int, scopes jsonb,
      kind text, how text, contact_id uuid, email_list_id uuid, owner_id uuid, ip text, user_agent text, note text)
  ), wanted as materialized (
    select distinct on (i.address_hash, w.scope, w.owner_id) i.n, i.address_hash, i.norm, i.reason, i.source, i.days, w.at, w.scope, w.owner_id
    from asked i, jsonb_to_recordset(i.scopes) as w(at int, scope text, owner_id uuid) order by i.address_hash, w.scope, w.owner_id, i.n
  ), added as (
    insert into suppressions (scope, owner_id, address_hash, address_norm, reason, source_delivery_id, expires_at)
    select w.scope, w.owner_id, w.address_hash, w.norm, w.reason, w.source, now() + make_interval(days => w.days) from wanted w order by w.address_hash, w.at
    ${LATER_END}
    returning address_hash, scope, owner_id, reason
  ), reached as (
    select distinct on (c.id) c.id, a.reason
    from added a join subscriptions c on c.email_hash = a.address_hash join email_lists l on l.id = c.email_list_id
    where a.scope = 'all' or (a.scope = 'owner' and a.owner_id = l.owner_id) or (a.scope = 'network' and l.is_default)
    order by c.id
  ), marked as (
    update subscriptions c set suppressed = r.reason, unsubscribed_at = case when r.reason = 'bounced' then c.unsubscribed_at else now() end,
           opt_in_state = case when c.opt_in_state in ('due', 'held') then 'none' else c.opt_in_state end
    from reached r where c.id = r.id and ${CAN_BE_MARKED}
  ), written as (
    select w.n, w.at, w.scope from wanted w join added a on a.address_hash = w.address_hash and a.scope = w.scope and a.owner_id is not distinct from w.owner_id
  ), noted as (
    insert into consent_events (address_hash, address_norm, wording_version, kind, how, contact_id, email_list_id, owner_id, ip, user_agent, details)
    select i.address_hash, i.norm, ?::text, i.kind, i.how, i.contact_id, i.email_list_id, i.owner_id, i.ip, i.user_agent,
           jsonb_build_object('scope', s.scopes -> 0, 'scopes', s.scopes) || case when i.note is null then '{}'::jsonb else jsonb_build_object('note', i.note) end
    from asked i join (select n, jsonb_agg(scope order by at) as scopes from written group by n) s on s.n = i.n
    where i.kind is not null
  )
  select n, scope from written order by n, at`;
