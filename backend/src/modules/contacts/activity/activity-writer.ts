import type { EntityManager } from '@mikro-orm/postgresql';
import { changed, type SqlPart } from '../../../shared/database/queries/rows.js';

/**
 * Adds messages to the activity of profiles, within the caller's transaction.
 * @param messages query of one row per message: `profile_id` (uuid; null if no profile has the address), `mailed_at`
 * (timestamptz; null if no server accepted the message) and `bounced_at` (timestamptz; null if it did not bounce)
 * @returns number of changed profiles
 */
export const recordActivity = (em: EntityManager, messages: SqlPart): Promise<number> =>
  changed(
    em,
    `insert into contact_activity as a (profile_id, last_mailed_at, mailed_count, last_bounced_at)
     select m.profile_id, max(m.mailed_at), count(m.mailed_at)::int, max(m.bounced_at) from (${messages.sql}) m
     join contact_profiles p on p.id = m.profile_id group by m.profile_id order by m.profile_id
     on conflict (profile_id) do update set last_mailed_at = greatest(a.last_mailed_at, excluded.last_mailed_at),
       mailed_count = a.mailed_count + excluded.mailed_count, last_bounced_at = greatest(a.last_bounced_at, excluded.last_bounced_at)`,
    messages.params,
  );

/**
 * SQL expression of the id of the profile that an account has for an address.
 * @param ownerId SQL of the account's id
 * @param address SQL of the address
 */
export const profileOfAddressSql = (ownerId: string, address: string): string =>
  `(select q.id from contact_profiles q where q.owner_id = ${ownerId} and q.email_norm collate "C" = lower(${address}))`;
