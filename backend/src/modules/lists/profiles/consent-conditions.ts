import type { SqlPart } from '../../../shared/database/queries/rows.js';
import type { ContactType } from '../../../shared/enums.js';
import { IN_FORCE } from '../unsubscribe/suppression-sql.js';

/** A value of CONSENT. */
type Consent = 'mailable' | 'pending' | 'left' | 'bounced' | 'complained' | 'none';

const FIRST_SUPPRESSION = (hash: string, ownerId: string): string => `
  select case s.reason when 'unsubscribed' then 'left' else s.reason end from suppressions s
  where s.address_hash = ${hash} and ${IN_FORCE} and (s.scope = 'all' or (s.scope = 'owner' and s.owner_id = ${ownerId}))
  order by s.reason = 'bounced', s.created_at limit 1`;

/**
 * SQL: the memberships `c` of profile `p` on lists `l` that are not deleted. OFFSET 0 makes the planner find them by
 * profile. Without fresh statistics, it would also look for them in the index by list, which reads all members.
 */
export const OWN_MEMBERSHIPS = `(select * from subscriptions m where m.profile_id = p.id offset 0) c
    join email_lists l on l.id = c.email_list_id and l.deleted_at is null`;

/** SQL expression: the ProfileConsent of profile `p`, which follows from all lists of its account. */
export const CONSENT = `coalesce(
  (select case when bool_or(c.confirmed and c.suppressed is null) then 'mailable' when bool_or(c.suppressed = 'complained') then 'complained'
      when bool_or(c.suppressed = 'unsubscribed') then 'left' when bool_or(c.suppressed = 'bounced') then 'bounced' when count(*) > 0 then 'pending' end
   from ${OWN_MEMBERSHIPS}),
  (${FIRST_SUPPRESSION('p.email_hash', 'p.owner_id')}),
  'none')`;

const MAILABLE = '(c.confirmed and c.suppressed is null)';

/** SQL: memberships `c` on lists that are not deleted. */
const MEMBERSHIPS = `subscriptions c join email_lists l on l.id = c.email_list_id and l.deleted_at is null`;
/**
 * SQL condition: the profile is on a list of the owner, with a membership that meets a condition. The owner is a
 * parameter, so that no plan reads another account's lists.
 */
const onLists = (profile: string, condition: string): string =>
  `exists (select 1 from ${MEMBERSHIPS} where c.profile_id = ${profile} and l.owner_id = ?::uuid and ${condition})`;

/**
 * SQL conditions on memberships. A membership that meets `by` gives its person the consent, unless another membership
 * of the person meets `unless`.
 */
const DECIDED: Record<Exclude<Consent, 'mailable' | 'none'>, { by: string; unless: string }> = {
  complained: { by: `c.suppressed = 'complained'`, unless: MAILABLE },
  left: { by: `c.suppressed = 'unsubscribed'`, unless: `(${MAILABLE} or c.suppressed = 'complained')` },
  bounced: {
    by: `c.suppressed = 'bounced'`,
    unless: `(${MAILABLE} or c.suppressed in ('complained', 'unsubscribed'))`,
  },
  pending: { by: 'not c.confirmed and c.suppressed is null', unless: `(${MAILABLE} or c.suppressed is not null)` },
};

/**
 * SQL condition: the profile `p` has a consent. Equal to `CONSENT = ?`, but written as joins that PostgreSQL may begin
 * at the memberships or suppressions with that consent, which are few for a rare consent.
 */
export function consentIs(ownerId: string, consent: Consent): SqlPart {
  if (consent === 'mailable') return mailableOn(ownerId, null);
  if (consent === 'none')
    return {
      sql: `(not ${onLists('p.id', 'true')} and not exists (select 1 from suppressions s
        where s.address_hash = p.email_hash and ${IN_FORCE} and (s.scope = 'all' or (s.scope = 'owner' and s.owner_id = ?::uuid))))`,
      params: [ownerId, ownerId],
    };
  const { by, unless } = DECIDED[consent];
  const members = `select c.profile_id as id from ${MEMBERSHIPS} where l.owner_id = ?::uuid and c.profile_id is not null and ${by}`;
  const isDecidedBefore = onLists('m.id', unless);
  const ofMembers = `select m.id from (${members}) m where not ${isDecidedBefore}`;
  // A consent comes from a suppression alone only if the address is on no list; pending always needs a list.
  const ofOthers = `select q.id from contact_profiles q where q.owner_id = ?::uuid and not ${onLists('q.id', 'true')} and exists (
      select 1 from suppressions s where s.address_hash = q.email_hash and (s.scope = 'all' or (s.scope = 'owner' and s.owner_id = ?::uuid)))
    and (${FIRST_SUPPRESSION('q.email_hash', 'q.owner_id')}) = ?::text`;
  return consent === 'pending'
    ? { sql: `exists (select 1 from (${ofMembers}) w where w.id = p.id)`, params: [ownerId, ownerId] }
    : {
        sql: `exists (select 1 from (${ofMembers} union all ${ofOthers}) w where w.id = p.id)`,
        params: [ownerId, ownerId, ownerId, ownerId, ownerId, consent],
      };
}

/**
 * SQL condition: the profile `p` has a confirmed membership on an own list that may be mailed.
 * @param type null for any
 */
export const mailableOn = (ownerId: string, type: ContactType | null): SqlPart => ({
  sql: `exists (select 1 from ${MEMBERSHIPS} where c.profile_id = p.id and l.owner_id = ?::uuid and ${MAILABLE}${type ? ' and c.subscription_type = ?::text' : ''})`,
  params: type ? [ownerId, type] : [ownerId],
});
