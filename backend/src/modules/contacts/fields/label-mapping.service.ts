import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { storableText } from '../../../shared/database/queries/storable-text.js';
import { fieldKey } from '../../../shared/merge-tags/values.js';
import { forgottenKeys } from '../bulk/cleanup.js';
import { CONTACT_LIMITS } from '../contacts.constants.js';
import { phoneE164 } from '../profiles/values/phone-number.js';
import { keyOfLabel } from './field-keys.js';

type BuiltIn = 'company' | 'jobTitle' | 'phone' | 'city' | 'region';

/** Target of a column of a file: a built-in part of profiles, a text field of the account, or none (null). */
type Target = { part: BuiltIn } | { key: string } | null;
export type LabelTargets = Map<string, Target>;

/** Built-in parts of profiles by column header, in the form of `fieldKey`. */
const HEADERS: Readonly<Record<string, BuiltIn>> = {
  company: 'company',
  company_name: 'company',
  organization: 'company',
  organisation: 'company',
  employer: 'company',
  title: 'jobTitle',
  job_title: 'jobTitle',
  phone: 'phone',
  phone_number: 'phone',
  mobile: 'phone',
  telephone: 'phone',
  city: 'city',
  state: 'region',
  region: 'region',
};
const MAX_PART = 200;

/**
 * The built-in part of profiles that a column header stands for.
 * @param key the header in the form of `fieldKey`
 * @returns undefined if the header stands for no built-in part
 */
export const partOfHeader = (key: string): BuiltIn | undefined =>
  Object.hasOwn(HEADERS, key) ? HEADERS[key] : undefined;

/** The further columns of a row, as values of the profile. */
export interface MappedValues extends Record<BuiltIn, string | null> {
  phoneE164: string | null;
  fields: Record<string, string>;
}

/**
 * The values of a row, by the targets of its columns. If several columns have the same target, the first non-empty
 * value counts.
 */
export function valuesOf(attributes: Readonly<Record<string, string>>, targets: LabelTargets): MappedValues {
  const parts = new Map<BuiltIn, string>();
  const fields = new Map<string, string>();
  for (const [label, value] of Object.entries(attributes)) {
    const target = targets.get(label);
    const text = value.trim();
    if (!target || text === '') continue;
    if ('part' in target) parts.set(target.part, parts.get(target.part) ?? storableText(text, MAX_PART));
    else fields.set(target.key, fields.get(target.key) ?? storableText(text, CONTACT_LIMITS.textValue));
  }
  const part = (name: BuiltIn): string | null => parts.get(name) ?? null;
  return {
    company: part('company'),
    jobTitle: part('jobTitle'),
    phone: part('phone'),
    phoneE164: phoneE164(part('phone')),
    city: part('city'),
    region: part('region'),
    fields: Object.fromEntries(fields),
  };
}

/** Locks the fields of an account, so that concurrent calls cannot exceed the maximum number of fields. */
export async function lockFields(em: EntityManager, ownerId: string): Promise<void> {
  await rows(em, `select pg_advisory_xact_lock(hashtextextended('contacts.fields:' || ?, 0))`, [ownerId]);
}

/**
 * Keeps the fields of an account unchanged until the transaction ends, so that values that were checked against them
 * still fit when they are written. Call it before profiles are locked, like `lockFields`. The lock is shared, so that
 * many transactions can hold it at a time.
 */
export async function holdFields(em: EntityManager, ownerId: string): Promise<void> {
  await rows(em, `select pg_advisory_xact_lock_shared(hashtextextended('contacts.fields:' || ?, 0))`, [ownerId]);
}

/** Finds or creates the text fields to which columns of files are mapped. */
@Injectable()
export class LabelMapping {
  constructor(private readonly em: EntityManager) {}

  /**
   * Adds the missing targets of labels to `targets`, and creates their text fields up to the account's limit. A label
   * beyond the limit, or whose key belongs to a field of another type, gets null: its values stay with the list's
   * contacts.
   */
  async complete(ownerId: string, targets: LabelTargets, labels: readonly string[]): Promise<void> {
    const open: { label: string; key: string }[] = [];
    for (const label of labels) {
      if (targets.has(label)) continue;
      const part = partOfHeader(fieldKey(label));
      if (part) targets.set(label, { part });
      else open.push({ label, key: keyOfLabel(label) });
    }
    if (open.length === 0) return;
    const textKeys = new Set(await this.textFields(ownerId, open));
    for (const { label, key } of open) targets.set(label, textKeys.has(key) ? { key } : null);
  }

  private textFields(ownerId: string, wanted: { label: string; key: string }[]): Promise<string[]> {
    const byKey = [...new Map(wanted.map((field) => [field.key, field])).values()];
    return inTransaction(this.em, async (em) => {
      await lockFields(em, ownerId);
      await rows(em, ADD, [ownerId, ownerId, JSON.stringify(byKey), ownerId, ownerId, CONTACT_LIMITS.fields, ownerId]);
      const found = await rows<{ key: string }>(
        em,
        `select key from profile_fields where owner_id = ? and type = 'text'`,
        [ownerId],
      );
      return found.map(({ key }) => key);
    });
  }
}

const ADD = `
  insert into profile_fields (owner_id, key, label, type, position)
  select ?::uuid, f.key, f.label, 'text', coalesce((select max(position) from profile_fields where owner_id = ?), 0) + f.place
  from (
    select w.key, w.label, row_number() over (order by w.place)::int as place
    from rows from (jsonb_to_recordset(?::jsonb) as (key text, label text)) with ordinality as w(key, label, place)
    where not exists (select 1 from profile_fields there where there.owner_id = ?::uuid and there.key = w.key)
      and w.key <> all (${forgottenKeys('?::uuid')})
  ) f
  where f.place <= ? - (select count(*) from profile_fields where owner_id = ?)
  on conflict (owner_id, key) do nothing`;
