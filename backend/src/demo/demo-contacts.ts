import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from '../shared/database/queries/rows.js';

const TAGS = [
  { name: 'Java', colour: '#1f6feb', of: 3 },
  { name: 'Texas', colour: '#bf8700', of: 5 },
  { name: 'Answers fast', colour: '#1a7f37', of: 7 },
] as const;
const NOTES = [
  'Wants the rate in the first line. C2C only.',
  'Prefers a call before noon, Central time.',
  'Two Java placements last year; asks for local candidates first.',
];

const RULES = [
  { value: 'brightline-client.example', reason: 'end_client', note: 'Placement runs until spring' },
  { value: 'rival-staffing.example', reason: 'competitor', note: null },
] as const;

/**
 * Adds tags, a custom field and notes to the demo account's contacts; also do-not-send rules and a company cap. The
 * contacts must have profiles already.
 */
export async function seedContacts(em: EntityManager, ownerId: string): Promise<void> {
  for (const { name, colour, of } of TAGS) {
    await rows(
      em,
      `with tag as (
         insert into contact_tags (id, owner_id, name, colour) values (1 + floor(random() * 2000000000)::int, ?, ?, ?) on conflict do nothing returning id
       )
       update contact_profiles p set tag_ids = array(select t from unnest(p.tag_ids || tag.id) t order by t) from tag where p.owner_id = ? and get_byte(p.email_hash, 2) % ? = 0`,
      [ownerId, name, colour, ownerId, of],
    );
  }
  await rows(
    em,
    `insert into profile_fields (owner_id, key, label, type, options, position)
     select ?::uuid, 'tier', 'Tier', 'choice', '["A", "B", "C"]', coalesce(max(position), 0) + 1 from profile_fields where owner_id = ? on conflict do nothing`,
    [ownerId, ownerId],
  );
  await rows(
    em,
    `update contact_profiles set fields = fields || jsonb_build_object('tier', (array['A', 'B', 'C'])[1 + get_byte(email_hash, 3) % 3]), city = 'Austin', region = 'TX', country = 'US'
     where owner_id = ? and get_byte(email_hash, 3) % 2 = 0`,
    [ownerId],
  );
  await rows(
    em,
    `insert into contact_notes (profile_id, owner_id, body, created_at)
     select p.id, p.owner_id, n.body, now() - make_interval(days => n.place::int * 4)
     from (select value as body, ordinality as place from jsonb_array_elements_text(?::jsonb) with ordinality) n
     join (select id, owner_id, row_number() over (order by created_at desc, id) as place from contact_profiles where owner_id = ?) p on p.place = n.place`,
    [JSON.stringify(NOTES), ownerId],
  );
  await rows(
    em,
    `insert into do_not_send_rules (owner_id, kind, value, company_domain, reason, note)
     select ?::uuid, 'domain', r.value, r.value, r.reason, r.note from jsonb_to_recordset(?::jsonb) as r(value text, reason text, note text) on conflict do nothing`,
    [ownerId, JSON.stringify(RULES)],
  );
  await rows(
    em,
    `insert into companies (owner_id, domain, kind, max_per_send)
     select p.owner_id, p.company_domain, 'vendor', 2 from contact_profiles p where p.owner_id = ? and p.company_domain is not null
     group by p.owner_id, p.company_domain order by count(*) desc, p.company_domain limit 1 on conflict do nothing`,
    [ownerId],
  );
  await seedSegments(em, ownerId);
}

/** Creates segments that use tags and custom fields of the demo account. */
async function seedSegments(em: EntityManager, ownerId: string): Promise<void> {
  const tags = await rows<{ id: number; name: string }>(em, `select id, name from contact_tags where owner_id = ?`, [
    ownerId,
  ]);
  const tag = (name: string): string[] => tags.filter((one) => one.name === name).map(({ id }) => String(id));
  const segments = [
    {
      name: 'Java vendors in Texas, not mailed this week',
      rules: [
        { field: 'tags', operator: 'anyOf', value: tag('Java') },
        { field: 'region', operator: 'is', value: 'TX' },
        { field: 'mailed', operator: 'notLastDays', value: 7 },
      ],
    },
    {
      name: 'Tier A who answer fast',
      rules: [
        { field: 'field.tier', operator: 'isOneOf', value: ['A'] },
        { field: 'tags', operator: 'anyOf', value: tag('Answers fast') },
      ],
    },
    { name: 'Waiting for their confirmation', rules: [{ field: 'consent', operator: 'isOneOf', value: ['pending'] }] },
  ];
  await rows(
    em,
    `insert into segments (owner_id, name, filter) select ?::uuid, s.name, s.filter from jsonb_to_recordset(?::jsonb) as s(name text, filter jsonb) on conflict do nothing`,
    [ownerId, JSON.stringify(segments.map(({ name, rules }) => ({ name, filter: { combinator: 'and', rules } })))],
  );
}
