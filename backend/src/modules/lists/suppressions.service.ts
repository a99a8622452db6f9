import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import type { SuppressionReason, SuppressionScope } from '../../shared/words/suppression.js';
import { type ConsentFact, WORDING_VERSION } from './consent-log.js';
import { KEEPS_OFF_LIST } from './suppression-sql.js';

/** An address to be left alone, how far, and why. */
export interface NewSuppression {
  scope: SuppressionScope;
  /** Of scope owner. */
  ownerId?: string | null;
  addressHash: Buffer;
  addressNorm?: string | null;
  reason: SuppressionReason;
  sourceDeliveryId?: string | null;
  /** Days until it lapses; null: never. */
  days?: number | null;
}

/** An address that bounced. */
export interface BouncedAddress {
  addressHash: Buffer;
  addressNorm: string | null;
  sourceDeliveryId: string;
}

type Reach = Pick<NewSuppression, 'scope' | 'ownerId'>;

/** What goes into the record of consent beside it. */
export type Evidence = Pick<ConsentFact, 'kind' | 'how' | 'contactId' | 'emailListId' | 'ownerId' | 'client'>;

/** Addresses that must not be mailed. */
@Injectable()
export class Suppressions {
  constructor(private readonly em: EntityManager) {}

  /** Why an address is kept off a list of this owner (null: the network), or null. */
  async reasonFor(addressHash: Buffer, ownerId: string | null, em = this.em): Promise<SuppressionReason | null> {
    const [found] = await rows<{ reason: SuppressionReason }>(
      em,
      `select s.reason from suppressions s where s.address_hash = ? and ${KEEPS_OFF_LIST} order by s.reason = 'bounced', s.created_at limit 1`,
      [addressHash, ownerId, ownerId],
    );
    return found?.reason ?? null;
  }

  /**
   * Suppresses an address and marks its contacts, within the caller's transaction. A person's own word outweighs a bounce.
   * @returns false where it was so already
   */
  async add(em: EntityManager, suppression: NewSuppression): Promise<boolean> {
    return (await this.addAll(em, [suppression], suppression)).length > 0;
  }

  /**
   * The same for several scopes, with its evidence, in one statement: the counters of a list, which everyone who leaves it
   * writes, are locked while it runs and not while answers travel. @returns the scopes in which it was not so already
   */
  async addAll(em: EntityManager, scopes: readonly Reach[], suppressed: Omit<NewSuppression, keyof Reach>, evidence?: Evidence): Promise<SuppressionScope[]> {
    const { addressHash, addressNorm = null, reason, sourceDeliveryId = null, days = null } = suppressed;
    const wanted = scopes.map(({ scope, ownerId = null }, at) => ({ at, scope, owner_id: ownerId }));
    const { kind, how, contactId, emailListId, ownerId, client } = evidence ?? {};
    const fact = { kind, how, contact_id: contactId, email_list_id: emailListId, owner_id: ownerId, ip: client?.ip, user_agent: client?.userAgent };
    const added = await rows<{ scope: SuppressionScope }>(em, ADD, [
      JSON.stringify(wanted), addressHash, addressNorm, reason, sourceDeliveryId, days, reason, reason, addressHash, addressHash, addressNorm, WORDING_VERSION, JSON.stringify(fact),
    ]);
    return added.map(({ scope }) => scope);
  }

  /** Suppresses addresses that bounced for all senders, each at most once, and marks their contacts: one statement, within the caller's transaction. */
  async addBounced(em: EntityManager, addresses: readonly BouncedAddress[], days: number): Promise<void> {
    if (addresses.length === 0) return;
    const wanted = addresses.map(({ addressHash, addressNorm, sourceDeliveryId }) => ({ hash: addressHash.toString('hex'), norm: addressNorm, source: sourceDeliveryId }));
    await rows(em, ADD_BOUNCED, [JSON.stringify(wanted), days]);
  }
}

/** Where a suppression is there already, the later end holds; one without an end stays. */
const LATER_END = `
    on conflict (address_hash, scope, owner_id) do update
      set reason = excluded.reason, source_delivery_id = excluded.source_delivery_id, created_at = now(), expires_at = excluded.expires_at
      where suppressions.expires_at is not null and (excluded.expires_at is null or excluded.expires_at > suppressions.expires_at)`;

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
  from added a where c.email_hash = a.address_hash and (c.suppressed is null or c.suppressed = 'bounced')`;

/** The suppressions, the contacts' own mark, which the table shows and the counters follow, and the record. */
const ADD = `
  with wanted as (
    select * from jsonb_to_recordset(?::jsonb) as w(at int, scope text, owner_id uuid)
  ), added as (
    insert into suppressions (scope, owner_id, address_hash, address_norm, reason, source_delivery_id, expires_at)
    select w.scope, w.owner_id, ?::bytea, ?::text, ?::text, ?::uuid, now() + make_interval(days => ?::int) from wanted w order by w.at
    ${LATER_END}
    returning scope, owner_id
  ), marked as (
    update subscriptions c set suppressed = ?::text, unsubscribed_at = case when ?::text = 'bounced' then c.unsubscribed_at else now() end,
           opt_in_state = case when c.opt_in_state in ('due', 'held') then 'none' else c.opt_in_state end
    from email_lists l
    where l.id = c.email_list_id and c.email_hash = ?::bytea and (c.suppressed is null or c.suppressed = 'bounced')
      and exists (select 1 from added a where a.scope = 'all' or (a.scope = 'owner' and a.owner_id = l.owner_id) or (a.scope = 'network' and l.is_default))
  ), written as (
    select jsonb_agg(w.scope order by w.at) as scopes from wanted w join added a on a.scope = w.scope
  ), noted as (
    insert into consent_events (address_hash, address_norm, wording_version, kind, how, contact_id, email_list_id, owner_id, ip, user_agent, details)
    select ?::bytea, ?::text, ?::text, f.kind, f.how, f.contact_id, f.email_list_id, f.owner_id, f.ip, f.user_agent,
           jsonb_build_object('scope', s.scopes -> 0, 'scopes', s.scopes)
    from jsonb_to_record(?::jsonb) as f(kind text, how text, contact_id uuid, email_list_id uuid, owner_id uuid, ip text, user_agent text), written s
    where f.kind is not null and s.scopes is not null
  )
  select a.scope from added a`;
