import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from '../../../src/shared/database/queries/rows.js';

/** Pseudo-random numbers; the same seed gives the same numbers. */
export function seeded(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (n: number): number => Math.floor(next() * n);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
  const chance = (p: number): boolean => next() < p;
  const some = <T>(from: readonly T[], p: number): T[] => from.filter(() => chance(p));
  return { below, pick, chance, some };
}
export type Dice = ReturnType<typeof seeded>;

export interface Membership {
  list: string;
  confirmed: boolean;
  /** Hours since the confirmation; null if not confirmed. */
  confirmedHours: number | null;
  suppressed: 'unsubscribed' | 'bounced' | 'complained' | null;
  type: 'job-posts' | 'candidate-lists';
  source: 'owner' | 'import' | 'public' | 'admin';
  attested: boolean;
}

/** A message of a send, with the hours since its acceptance; null if not accepted yet. */
export interface Message {
  send: string;
  status: string;
  sentHours: number | null;
  masked: boolean;
}

export interface Person {
  id: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  company: string | null;
  companyDomain: string | null;
  jobTitle: string | null;
  phone: string | null;
  city: string | null;
  region: string | null;
  country: string | null;
  timeZone: string | null;
  source: Membership['source'];
  tags: number[];
  fields: Record<string, unknown>;
  addedHours: number;
  memberships: Membership[];
  /** The oldest suppression of the address that does not concern a single list. */
  suppressed: { reason: 'unsubscribed' | 'bounced' | 'complained'; scope: 'owner' | 'all' } | null;
  activity: { lastHours: number | null; count: number; bouncedHours: number | null } | null;
  messages: Message[];
}

/**
 * A send, with the hours since its acceptance. `isPending` means that it is not rolled up yet; only then its messages
 * are counted by their rows.
 */
export interface Send {
  id: string;
  hours: number;
  isPending: boolean;
}

export interface World {
  /** Creation time in ms since the epoch. The oracle subtracts hours from this time to get a day. */
  made: number;
  people: Person[];
  lists: string[];
  /** A list that its owner deleted. */
  deletedList: string;
  tags: number[];
  sends: Send[];
}

export const NAMES = ['Ann', 'ANN', 'Bo%b', 'ça_va', "O'Neil", 'x\\y', 'Priya', 'ann-lee', ''];
export const DOMAINS = ['acme.example', 'mail.acme.example', 'beta.example', 'gmail.com'];
/** Kinds of the companies about which the account wrote something. */
export const KINDS: Readonly<Record<string, string>> = { 'acme.example': 'vendor', 'beta.example': 'end_client' };
/** Domains and addresses of do-not-send rules. */
export const NOT_SENT_TO = [
  'mail.acme.example',
  'beta.example',
  'p7.ann@gmail.com',
  'p8.bob@gmail.com',
  'p9.c%d@gmail.com',
];
/** Domain of a rule that has ended. */
const ENDED_RULE = 'acme.example';
export const REGIONS = ['TX', 'tx', 'OK', 'CA', 'New York'];
export const OPTIONS = ['A', 'B', 'C+'];
export const FIELDS = [
  { key: 'note', label: 'Note', type: 'text', options: [] },
  { key: 'rate', label: 'Rate', type: 'number', options: [] },
  { key: 'visa_until', label: 'Visa until', type: 'date', options: [] },
  { key: 'local', label: 'Local', type: 'yes_no', options: [] },
  { key: 'tier', label: 'Tier', type: 'choice', options: OPTIONS },
  { key: 'stacks', label: 'Stacks', type: 'choices', options: OPTIONS },
] as const;
const formats = new Map<string, Intl.DateTimeFormat>();

/** A day as YYYY-MM-DD in a zone, this many days from today. */
export function dayFrom(days: number, zone: string, from = Date.now()): string {
  let format = formats.get(zone);
  if (!format) formats.set(zone, (format = new Intl.DateTimeFormat('en-CA', { timeZone: zone })));
  return format.format(new Date(from + days * 86_400_000));
}

function fieldsOf(dice: Dice, zone: string): Record<string, unknown> {
  const wrong = (): unknown => dice.pick<unknown>([12, 'text', true, ['A', 4], {}, '2026-13-45', '']);
  const value: Record<string, () => unknown> = {
    note: () => dice.pick(NAMES),
    rate: () => dice.pick([-5, 0, 79.5, 80, 80.01, 1e15]),
    visa_until: () => dayFrom(dice.pick([-400, -8, -7, -1, 0, 1, 7, 8, 400]), zone),
    local: () => dice.chance(0.5),
    tier: () => dice.pick(OPTIONS),
    stacks: () => dice.some(OPTIONS, 0.5),
  };
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, of]) =>
      dice.chance(0.3) ? [] : [[key, dice.chance(0.1) ? wrong() : of()] as [string, unknown]],
    ),
  );
}

const maybe = <T>(dice: Dice, of: () => T): T | null => (dice.chance(0.3) ? null : of());
/** Hours around the days that rules ask for. None is so close to them that the duration of the test matters. */
const HOURS = [0.5, 23, 25, 160, 167, 169, 700, 2_000];

function membershipsOf(dice: Dice, lists: readonly string[]): Membership[] {
  return dice.some(lists, 0.35).map((list): Membership => {
    const confirmed = dice.chance(0.6);
    return {
      list,
      confirmed,
      confirmedHours: confirmed ? dice.pick(HOURS) : null,
      suppressed: dice.chance(0.75) ? null : dice.pick(['unsubscribed', 'bounced', 'complained']),
      type: dice.pick(['job-posts', 'candidate-lists']),
      source: dice.pick(['owner', 'import', 'public', 'admin']),
      attested: dice.chance(0.2),
    };
  });
}

/** Random people of one account. */
export function makeWorld(
  seed: number,
  count: number,
  zone: string,
  world: Pick<World, 'lists' | 'deletedList' | 'tags' | 'sends'>,
): World {
  const dice = seeded(seed);
  const people = Array.from({ length: count }, (_, at): Person => {
    const domain = dice.pick(DOMAINS);
    return {
      id: randomUUID(),
      email: `p${at}.${dice.pick(['ann', 'bob', 'c%d'])}@${domain}`,
      firstName: maybe(dice, () => dice.pick(NAMES)),
      lastName: maybe(dice, () => dice.pick(NAMES)),
      company: maybe(dice, () => dice.pick(NAMES)),
      companyDomain: domain === 'gmail.com' ? null : domain.replace('mail.', ''),
      jobTitle: maybe(dice, () => dice.pick(NAMES)),
      phone: maybe(dice, () => dice.pick(['(512) 555-0142', '+1 405'])),
      city: maybe(dice, () => dice.pick(['Austin', 'austin', 'Tulsa'])),
      region: maybe(dice, () => dice.pick(REGIONS)),
      country: maybe(dice, () => dice.pick(['US', 'IN'])),
      timeZone: maybe(dice, () => dice.pick(['America/Chicago', 'UTC'])),
      source: dice.pick(['owner', 'import', 'public', 'admin']),
      tags: dice.some(world.tags, 0.3),
      fields: fieldsOf(dice, zone),
      addedHours: dice.pick(HOURS),
      memberships: membershipsOf(dice, [...world.lists, world.deletedList]),
      suppressed: dice.chance(0.2)
        ? { reason: dice.pick(['unsubscribed', 'bounced', 'complained']), scope: dice.pick(['owner', 'all']) }
        : null,
      activity: dice.chance(0.5)
        ? {
            lastHours: dice.chance(0.9) ? dice.pick(HOURS) : null,
            count: dice.below(4),
            bouncedHours: dice.chance(0.3) ? dice.pick(HOURS) : null,
          }
        : null,
      messages: [],
    };
  });
  for (const person of people) {
    if (person.memberships.length === 0) continue;
    person.messages = dice.some(world.sends, 0.3).map(({ id, hours }) => {
      const status = dice.pick([
        'queued',
        'deferred',
        'sent',
        'unconfirmed',
        'failed',
        'skipped',
        'bounced',
        'complained',
      ]);
      return {
        send: id,
        status,
        sentHours: ['sent', 'bounced', 'complained'].includes(status) ? Math.min(hours, dice.pick(HOURS)) : null,
        masked: dice.chance(0.1),
      };
    });
  }
  return { ...world, made: Date.now(), people };
}

/** Writes a world into the database. */
export async function storeWorld(em: EntityManager, ownerId: string, { people, sends }: World): Promise<void> {
  await storeCompanies(em, ownerId);
  const hash = `sha256(lower(p.email)::bytea)`;
  const json = JSON.stringify(people);
  await rows(
    em,
    `insert into contact_profiles (id, owner_id, email, email_norm, email_hash, first_name, last_name, company, company_domain, job_title, phone, city, region, country, time_zone, tag_ids, fields, source, created_at)
     select p.id, ?::uuid, p.email, lower(p.email), ${hash}, p."firstName", p."lastName", p.company, p."companyDomain", p."jobTitle", p.phone, p.city, p.region, p.country, p."timeZone",
       array(select jsonb_array_elements_text(p.tags)::int), p.fields, p.source, now() - make_interval(secs => p."addedHours" * 3600)
     from jsonb_to_recordset(?::jsonb) as p(id uuid, email text, "firstName" text, "lastName" text, company text, "companyDomain" text, "jobTitle" text, phone text, city text, region text, country text, "timeZone" text,
       tags jsonb, fields jsonb, source text, "addedHours" float8)`,
    [ownerId, json],
  );
  await rows(
    em,
    `insert into subscriptions (email, email_norm, email_hash, subscription_type, confirmed, confirmed_at, suppressed, source, consent, unsubscribe_token, email_list_id, opt_in_state, profile_id, created_at)
     select p.email, lower(p.email), ${hash}, m.type, m.confirmed, now() - make_interval(secs => m."confirmedHours" * 3600), m.suppressed, m.source,
       case when m.attested then '{"how": "attestation"}'::jsonb end, 't' || p.id || m.list, m.list, 'none', p.id, now() - interval '3000 hours'
     from jsonb_to_recordset(?::jsonb) as p(id uuid, email text, memberships jsonb),
       jsonb_to_recordset(p.memberships) as m(list uuid, confirmed bool, "confirmedHours" float8, suppressed text, type text, source text, attested bool)`,
    [json],
  );
  await rows(
    em,
    `insert into suppressions (scope, owner_id, reason, address_hash)
     select p.suppressed ->> 'scope', case when p.suppressed ->> 'scope' = 'owner' then ?::uuid end, p.suppressed ->> 'reason', ${hash}
     from jsonb_to_recordset(?::jsonb) as p(email text, suppressed jsonb) where jsonb_typeof(p.suppressed) = 'object'`,
    [ownerId, json],
  );
  await rows(
    em,
    `insert into contact_activity (profile_id, last_mailed_at, mailed_count, last_bounced_at)
     select p.id, now() - make_interval(secs => a."lastHours" * 3600), a.count, now() - make_interval(secs => a."bouncedHours" * 3600)
     from jsonb_to_recordset(?::jsonb) as p(id uuid, activity jsonb), jsonb_to_record(p.activity) as a("lastHours" float8, count int, "bouncedHours" float8)
     where jsonb_typeof(p.activity) = 'object'`,
    [json],
  );
  await rows(
    em,
    `insert into email_history (id, user_id, subject, content, email_type, status, sent_at, settled_at, usage_date, content_hash, sender_name, reply_to, activity_pending)
     select s.id, ?::uuid, 'Java hotlist', 'x', 'job-post', 'failed', now() - make_interval(secs => s.hours * 3600), now(), current_date, 'x', 'Ann', 'a@x.test', s."isPending"
     from jsonb_to_recordset(?::jsonb) as s(id uuid, hours float8, "isPending" bool)`,
    [ownerId, JSON.stringify(sends)],
  );
  await rows(
    em,
    `insert into email_delivery_logs (user_id, history_id, position, contact_id, email_list_id, masked, recipient_email, subject, status, sent_at)
     select ?::uuid, m.send, row_number() over (partition by m.send), c.id, c.email_list_id, m.masked, p.email, 'x', m.status, now() - make_interval(secs => m."sentHours" * 3600)
     from jsonb_to_recordset(?::jsonb) as p(id uuid, email text, messages jsonb), jsonb_to_recordset(p.messages) as m(send uuid, status text, "sentHours" float8, masked bool),
       lateral (select c.id, c.email_list_id from subscriptions c where c.profile_id = p.id order by c.email_list_id limit 1) c`,
    [ownerId, json],
  );
  for (const table of ['contact_profiles', 'subscriptions', 'suppressions', 'contact_activity', 'email_delivery_logs'])
    await rows(em, `analyze ${table}`);
}

async function storeCompanies(em: EntityManager, ownerId: string): Promise<void> {
  await rows(
    em,
    `insert into companies (owner_id, domain, kind) select ?::uuid, key, value from jsonb_each_text(?::jsonb)`,
    [ownerId, JSON.stringify(KINDS)],
  );
  await rows(
    em,
    `insert into do_not_send_rules (owner_id, kind, value, address_hash, company_domain, reason, expires_at)
     select ?::uuid, case when r.value like '%@%' then 'address' else 'domain' end, r.value, case when r.value like '%@%' then sha256(r.value::bytea) end,
       case when r.value not like '%@%' then regexp_replace(r.value, '^mail[.]', '') end, 'other', case when r.value = ? then now() - interval '1 hour' end
     from jsonb_array_elements_text(?::jsonb) as r(value)`,
    [ownerId, ENDED_RULE, JSON.stringify([...NOT_SENT_TO, ENDED_RULE])],
  );
}
