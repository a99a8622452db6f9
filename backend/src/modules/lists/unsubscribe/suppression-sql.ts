import type { SqlPart } from '../../../shared/database/queries/rows.js';

/** Condition: suppression row `s` is in force. */
const ACTIVE = '(s.expires_at is null or s.expires_at > now())';

/**
 * SQL condition: mail to contact `c` of list `l` is forbidden by its owner's suppression, by the default list's, or by
 * one for all mail, unless the person confirmed by link after leaving everything.
 * @param sender placeholder for the sending user, whose own suppressions also apply on the default list; null: the
 * list's side only
 */
export function suppressedFor(sender: string | null): string {
  return `exists (select 1 from suppressions s where ${ACTIVE} and ${reaches(sender)})`;
}

/**
 * SQL of `suppressedFor` as a join, for statements over whole lists: one hash table instead of a look-up for each
 * contact. A contact gets a row for each suppression `s` that forbids mail to it, and one without where none does.
 * Parameters: the sending user, twice; the first only keeps other users' suppressions out of the hash table.
 */
export const SUPPRESSION_JOIN = `left join suppressions s on ${ACTIVE} and (s.scope <> 'owner' or s.owner_id = ?::uuid) and ${reaches('?::uuid')}`;

/**
 * SQL condition: forbidden now or at any time since a moment; includes suppressions that expired since. Lifted
 * suppressions are checked per row only if any exist. Parameters: time, sender, time, sender, time, time, time.
 */
export const SUPPRESSED_SINCE = `(
  exists (select 1 from suppressions s where (s.expires_at is null or s.expires_at >= least(?::timestamptz, now())) and ${reaches('?::uuid')})
  or (exists (select 1 from lifted_suppressions s where s.lifted_at > ?::timestamptz)
      and exists (select 1 from lifted_suppressions s where ${reaches('?::uuid')} and s.lifted_at > ?::timestamptz and s.created_at <= ?::timestamptz and (s.expires_at is null or s.expires_at > ?::timestamptz))))`;

/**
 * SQL condition: any suppression for this sender's mail or all mail names the address. Where false, neither
 * `suppressedFor` nor `SUPPRESSED_SINCE` applies to any of its contacts. One index lookup, whatever the list.
 */
export function namedBySuppression(hash: string, { sender, since }: { sender: string; since?: string }): SqlPart {
  const suppressed = `exists (select 1 from suppressions s where s.address_hash = ${hash} and (s.scope <> 'owner' or s.owner_id = ?::uuid))`;
  const lifted = `exists (select 1 from lifted_suppressions s where s.lifted_at > ?::timestamptz) and exists (select 1 from lifted_suppressions s where s.address_hash = ${hash})`;
  return since
    ? { sql: `(${suppressed} or ${lifted})`, params: [sender, since] }
    : { sql: suppressed, params: [sender] };
}

function reaches(sender: string | null): string {
  return `s.address_hash = c.email_hash and (
    (s.scope = 'owner' and s.owner_id = ${sender ?? 'l.owner_id'})
    or (s.scope = 'network' and l.is_default)
    or (s.scope = 'all' and not coalesce(c.consent->>'how' = 'link' and c.confirmed_at > s.created_at, false)))`;
}

/**
 * SQL condition on suppressions that keep an address off a list. Parameters: owner id (null: default list), owner id
 * again.
 */
export const SUPPRESSION_APPLIES = `${ACTIVE} and (
  s.scope = 'all' or (s.scope = 'owner' and s.owner_id = ?::uuid) or (s.scope = 'network' and ?::uuid is null))`;

/**
 * SQL condition: contacts shown in the table and counted. Unsubscribed and complained contacts leave the table; bounced
 * ones stay, marked.
 */
export const IN_TABLE = `(c.suppressed is null or c.suppressed = 'bounced')`;
export const HAS_UNSUBSCRIBED = `c.suppressed in ('unsubscribed', 'complained')`;
