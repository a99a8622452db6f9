/** A suppression row `s` that holds now. */
const ACTIVE = '(s.expires_at is null or s.expires_at > now())';

/**
 * Whether anything forbids mailing contact `c` of list `l`: its owner's suppression, the network's for the default list, or
 * one for all mail, unless the person confirmed by link after leaving everything.
 * @param sender placeholder for the sending user, whose own suppressions count on the default list too; null: only the list's side
 */
export function suppressedFor(sender: string | null): string {
  const owner = sender ? `s.owner_id = ${sender}` : 's.owner_id = l.owner_id';
  return `exists (
    select 1 from suppressions s where s.address_hash = c.email_hash and ${ACTIVE} and (
      (s.scope = 'owner' and ${owner})
      or (s.scope = 'network' and l.is_default)
      or (s.scope = 'all' and not coalesce(c.consent->>'how' = 'link' and c.confirmed_at > s.created_at, false))))`;
}

/** Rows of suppressions that keep an address off one list: parameters owner id (null: network) and owner id again. */
export const KEEPS_OFF_LIST = `${ACTIVE} and (
  s.scope = 'all' or (s.scope = 'owner' and s.owner_id = ?::uuid) or (s.scope = 'network' and ?::uuid is null))`;

/** Contacts that the table and the counters hold (decisions.md D36). */
export const IN_TABLE = `(c.suppressed is null or c.suppressed = 'bounced')`;
export const HAS_LEFT = `c.suppressed in ('unsubscribed', 'complained')`;
