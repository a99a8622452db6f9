import { fieldKey } from '../../../shared/merge-tags/values.js';
import type { SqlPart } from '../../../shared/database/queries/rows.js';
import { partOfHeader } from './label-mapping.service.js';

/** Columns of a profile that merge tags can use, besides the person's names. */
const COLUMNS: ReadonlySet<string> = new Set(['company', 'job_title', 'phone', 'city', 'region']);
const COLUMN_OF = {
  company: 'company',
  jobTitle: 'job_title',
  phone: 'phone',
  city: 'city',
  region: 'region',
} as const;
const FIELD = 'fields.';

/** Place of a custom field's value in a profile, for `profileValueSql`. */
export const placeOfField = (key: string): string => FIELD + key;

/**
 * The column of a profile that holds the values of a file's column with this label.
 * @returns undefined if no built-in column matches
 */
export function placeOfLabel(label: string): string | undefined {
  const part = partOfHeader(fieldKey(label));
  return part && COLUMN_OF[part];
}

/**
 * SQL expression: one value of a profile as text for readers, over the alias `p`; null if it is empty.
 * @param place from `placeOfField` or `placeOfLabel`
 * @throws Error for any other text
 */
export function profileValueSql(place: string): SqlPart {
  if (COLUMNS.has(place)) return { sql: `nullif(p.${place}, '')`, params: [] };
  if (!place.startsWith(FIELD)) throw new Error('a profile has no such value');
  const key = place.slice(FIELD.length);
  return {
    sql: `case jsonb_typeof(p.fields -> ?::text)
            when 'array' then (select string_agg(v, ', ') from jsonb_array_elements_text(p.fields -> ?::text) v)
            when 'boolean' then case when (p.fields -> ?::text)::boolean then 'Yes' else 'No' end
            else nullif(p.fields ->> ?::text, '') end`,
    params: [key, key, key, key],
  };
}
