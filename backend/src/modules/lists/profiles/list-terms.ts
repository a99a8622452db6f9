import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { rows, type SqlPart } from '../../../shared/database/queries/rows.js';
import { sqlArray } from '../../../shared/database/queries/sql-array.js';
import { not, operator, type SegmentTerm, SegmentTerms, type TermContext, withinDays } from '../../contacts/index.js';
import { HAS_UNSUBSCRIBED, IN_TABLE } from '../unsubscribe/suppression-sql.js';
import { consentIs, mailableOn } from './consent-conditions.js';

/** States of a membership `c` that a rule can ask for, as SQL. */
const STATES: Record<string, { label: string; sql: string }> = {
  present: { label: 'still on it', sql: IN_TABLE },
  confirmed: { label: 'confirmed', sql: '(c.confirmed and c.suppressed is null)' },
  pending: { label: 'pending', sql: '(not c.confirmed and c.suppressed is null)' },
  left: { label: 'left it', sql: HAS_UNSUBSCRIBED },
  any: { label: 'in any status', sql: 'true' },
};

const CONSENTS: Record<string, { label: string; sql: (ownerId: string) => SqlPart }> = {
  mailable: { label: 'can be mailed', sql: (ownerId) => mailableOn(ownerId, null) },
  'mailable-job-posts': { label: 'can be mailed with job posts', sql: (ownerId) => mailableOn(ownerId, 'job-posts') },
  'mailable-candidate-lists': {
    label: 'can be mailed with candidate lists',
    sql: (ownerId) => mailableOn(ownerId, 'candidate-lists'),
  },
  pending: { label: 'pending', sql: (ownerId) => consentIs(ownerId, 'pending') },
  left: { label: 'left', sql: (ownerId) => consentIs(ownerId, 'left') },
  bounced: { label: 'bounced', sql: (ownerId) => consentIs(ownerId, 'bounced') },
  complained: { label: 'reported spam', sql: (ownerId) => consentIs(ownerId, 'complained') },
  none: { label: 'nothing', sql: (ownerId) => consentIs(ownerId, 'none') },
};

/** Origins as SQL over a membership `c`, and over the profile `p` for people who were never on a list. */
const ORIGINS: Record<string, { label: string; member: string; profile: string }> = {
  public: { label: 'by the public page', member: `c.source = 'public'`, profile: `p.source = 'public'` },
  import: { label: 'by an import', member: `c.source = 'import'`, profile: `p.source = 'import'` },
  hand: { label: 'by hand', member: `c.source in ('owner', 'admin')`, profile: `p.source in ('owner', 'admin')` },
  statement: { label: 'confirmed by a statement', member: `c.consent ->> 'how' = 'attestation'`, profile: 'false' },
};

const optionsOf = (of: Record<string, { label: string }>) =>
  Object.entries(of).map(([value, { label }]) => ({ value, label }));

const onLists = (ownerId: string, condition: string, params: unknown[] = []): SqlPart => ({
  sql: `exists (select 1 from subscriptions c join email_lists l on l.id = c.email_list_id and l.deleted_at is null where c.profile_id = p.id and l.owner_id = ?::uuid and ${condition})`,
  params: [ownerId, ...params],
});

const onAnyOf = (ownerId: string, { values, state }: { values: string[]; state: string }): SqlPart =>
  onLists(ownerId, `c.email_list_id = any (?::uuid[]) and ${STATES[state]!.sql}`, [sqlArray(values)]);

const either = (parts: readonly SqlPart[]): SqlPart => ({
  sql: parts.map(({ sql }) => `(${sql})`).join(' or '),
  params: parts.flatMap(({ params }) => params),
});

const hasConsent = (consents: string[], ownerId: string): SqlPart =>
  either(consents.map((one) => CONSENTS[one]!.sql(ownerId)));

const came = (origins: string[], ownerId: string): SqlPart =>
  either(
    origins.flatMap((one) => [onLists(ownerId, ORIGINS[one]!.member), { sql: ORIGINS[one]!.profile, params: [] }]),
  );

/** The day of a confirmation in the account's zone. Parameter: time zone. */
const CONFIRMED_DAY = '(c.confirmed_at at time zone ?::text)::date';
const confirmed = (sign: '<' | '>', day: string, { ownerId, timeZone }: TermContext): SqlPart =>
  onLists(ownerId, `c.confirmed and c.confirmed_at is not null and ${CONFIRMED_DAY} ${sign} ?::date`, [timeZone, day]);

function confirmedWithin(days: number, { ownerId }: TermContext): SqlPart {
  const { sql, params } = withinDays('c.confirmed_at', days);
  return onLists(ownerId, `c.confirmed and ${sql}`, params);
}

const CONSENT_TERMS: readonly SegmentTerm[] = [
  {
    field: 'consent',
    label: 'Consent',
    group: 'Lists and consent',
    options: optionsOf(CONSENTS),
    operators: [
      operator('isOneOf', 'is', 'options', (consents, { ownerId }) => hasConsent(consents, ownerId)),
      operator('isNoneOf', 'is not', 'options', (consents, { ownerId }) => not(hasConsent(consents, ownerId))),
    ],
  },
  {
    field: 'origin',
    label: 'How it came',
    group: 'Lists and consent',
    options: optionsOf(ORIGINS),
    operators: [
      operator('isOneOf', 'is', 'options', (origins, { ownerId }) => came(origins, ownerId)),
      operator('isNoneOf', 'is not', 'options', (origins, { ownerId }) => not(came(origins, ownerId))),
    ],
  },
  {
    field: 'confirmedAt',
    label: 'Confirmed',
    group: 'Lists and consent',
    operators: [
      operator('lt', 'before', 'date', (day, context) => confirmed('<', day, context)),
      operator('gt', 'after', 'date', (day, context) => confirmed('>', day, context)),
      operator('lastDays', 'in the last … days', 'days', confirmedWithin),
    ],
  },
];

/** Segment terms about the account's own lists and the consent given on them. */
@Injectable()
export class ListTerms implements OnModuleInit {
  constructor(private readonly registry: SegmentTerms) {}

  onModuleInit(): void {
    this.registry.add({ terms: async (ownerId, em) => [await this.listTerm(ownerId, em), ...CONSENT_TERMS] });
  }

  private async listTerm(ownerId: string, em: EntityManager): Promise<SegmentTerm> {
    const lists = await rows<{ value: string; label: string }>(
      em,
      `select id as value, name as label from email_lists where owner_id = ? and deleted_at is null and not is_default order by lower(name), id`,
      [ownerId],
    );
    return {
      field: 'list',
      label: 'List',
      group: 'Lists and consent',
      noun: 'list',
      options: lists,
      states: optionsOf(STATES),
      operators: [
        operator('anyOf', 'is on any of', 'listed', (value, context) => onAnyOf(context.ownerId, value)),
        operator('noneOf', 'is on none of', 'listed', (value, context) => not(onAnyOf(context.ownerId, value))),
      ],
    };
  }
}
