/** SQL with `?` placeholders and their values, to stand in an INSERT … SELECT or a FROM. */
export interface SqlPart {
  sql: string;
  params: unknown[];
}

/** A suppression row `s` that holds now. */
const ACTIVE = '(s.expires_at is null or s.expires_at > now())';

/**
 * Whether anything forbids mailing contact `c` of list `l`: its owner's suppression, the network's for the default list, or
 * one for all mail, unless the person confirmed by link after leaving everything.
 * @param sender placeholder for the sending user, whose own suppressions count on the default list too; null: only the list's side
 */
export function suppressedFor(sender: string | null): string {
  return `exists (select 1 from suppressions s where ${ACTIVE} and ${reaches(sender)})`;
}

/**
 * Whether anything forbids it now or has since a time forbidden it; the same rows as `suppressedFor`, those that lapsed meanwhile too.
 * What was lifted is asked for row by row only where anything was lifted at all. Parameters: time, sender, time, sender, time, time, time.
 */
export const SUPPRESSED_SINCE = `(
  exists (select 1 from suppressions s where (s.expires_at is null or s.expires_at >= least(?::timestamptz, now())) and ${reaches('?::uuid')})
  or (exists (select 1 from lifted_suppressions s where s.lifted_at > ?::timestamptz)
      and exists (select 1 from lifted_suppressions s where ${reaches('?::uuid')} and s.lifted_at > ?::timestamptz and s.created_at <= ?::timestamptz and (s.expires_at is null or s.expires_at > ?::timestamptz))))`;

/**
 * Whether any suppression so much as names an address, for this sender's mail or all: where none does, neither `suppressedFor` nor `SUPPRESSED_SINCE`
 * holds for any of its contacts. One look into an index, whatever list a contact is on.
 */
export function namedBySuppression(hash: string, { sender, since }: { sender: string; since?: string }): SqlPart {
  const suppressed = `exists (select 1 from suppressions s where s.address_hash = ${hash} and (s.scope <> 'owner' or s.owner_id = ?::uuid))`;
  const lifted = `exists (select 1 from lifted_suppressions s where s.lifted_at > ?::timestamptz) and exists (select 1 from lifted_suppressions s where s.address_hash = ${hash})`;
  return since ? { sql: `(${suppressed} or ${lifted})`, params: [sender, since] } : { sql: suppressed, params: [sender] };
}

function reaches(sender: string | null): string {
  return `s.address_hash = c.email_hash and (
    (s.scope = 'owner' and s.owner_id = ${sender ?? 'l.owner_id'})
    or (s.scope = 'network' and l.is_default)
    or (s.scope = 'all' and not coalesce(c.consent->>'how' = 'link' and c.confirmed_at > s.created_at, false)))`;
}

/** Rows of suppressions that keep an address off one list: parameters owner id (null: network) and owner id again. */
export const KEEPS_OFF_LIST = `${ACTIVE} and (
  s.scope = 'all' or (s.scope = 'owner' and s.owner_id = ?::uuid) or (s.scope = 'network' and ?::uuid is null))`;

/** Contacts that the table and the counters hold (decisions.md D36). */
export const IN_TABLE = `(c.suppressed is null or c.suppressed = 'bounced')`;
export const HAS_LEFT = `c.suppressed in ('unsubscribed', 'complained')`;
