import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import type { SuppressionReason, SuppressionScope } from '../../shared/words/suppression.js';
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
    const { scope, ownerId = null, addressHash, addressNorm = null, reason, sourceDeliveryId = null, days = null } = suppression;
    const written = await rows(
      em,
      `insert into suppressions (scope, owner_id, address_hash, address_norm, reason, source_delivery_id, expires_at)
       values (?, ?::uuid, ?, ?, ?, ?::uuid, now() + make_interval(days => ?::int))
       on conflict (address_hash, scope, owner_id) do update
         set reason = excluded.reason, source_delivery_id = excluded.source_delivery_id, created_at = now(), expires_at = excluded.expires_at
         where suppressions.expires_at is not null and (excluded.expires_at is null or excluded.expires_at > suppressions.expires_at)
       returning id`,
      [scope, ownerId, addressHash, addressNorm, reason, sourceDeliveryId, days],
    );
    if (written.length === 0) return false;
    await this.mark(em, suppression);
    return true;
  }

  /** The contacts' own mark, which the table shows and the counters follow. */
  private async mark(em: EntityManager, { scope, ownerId, addressHash, reason }: NewSuppression): Promise<void> {
    const lists = { owner: 'and l.owner_id = ?::uuid', network: 'and l.is_default', all: '' }[scope];
    await rows(
      em,
      `update subscriptions c set suppressed = ?, unsubscribed_at = case when ? = 'bounced' then c.unsubscribed_at else now() end
       from email_lists l
       where l.id = c.email_list_id ${lists} and c.email_hash = ? and (c.suppressed is null or c.suppressed = 'bounced')`,
      [reason, reason, ...(scope === 'owner' ? [ownerId] : []), addressHash],
    );
  }
}
