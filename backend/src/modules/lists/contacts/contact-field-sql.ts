import type { SqlPart } from '../../../shared/database/queries/rows.js';
import type { TagPiece } from '../../../shared/merge-tags/pieces.js';
import { cleanValue, type TagValues } from '../../../shared/merge-tags/values.js';
import { profileValueSql } from '../../contacts/index.js';

/** A value that a message takes from a contact, by the name of its merge tag. */
export type ContactField = Pick<TagPiece, 'tag' | 'labels' | 'profile'>;

/** Most labels of one field that are read. A list with many imports may spell one label in many ways. */
const MAX_LABELS = 10;

const OWN_COLUMNS: Readonly<Record<string, string>> = {
  first_name: 'c.first_name',
  // Of members of the shared network, only first name and company are used.
  last_name: 'case when not l.is_default then c.last_name end',
  full_name: 'c.name',
  email: 'c.email',
};
const COMPANY = 'company';

/** Place of a field in the profile; undefined: only lists have it. */
const placeOf = ({ tag, profile }: ContactField): string | undefined => (tag === COMPANY ? COMPANY : profile);

/** Join of the profile as `p` to a contact `c`, which the expressions of these fields need; empty where they need none. */
export const profileJoin = (fields: readonly ContactField[]): string =>
  fields.some((field) => placeOf(field) !== undefined) ? 'left join contact_profiles p on p.id = c.profile_id' : '';

/** SQL expression of one field, text or null, over the aliases `c` (contact), `l` (its list) and those of `profileJoin`. */
export function contactFieldSql(field: ContactField): SqlPart {
  const { tag, labels = [] } = field;
  if (Object.hasOwn(OWN_COLUMNS, tag)) return { sql: OWN_COLUMNS[tag]!, params: [] };
  const column = columnSql(labels.slice(0, MAX_LABELS));
  const ofList = tag === COMPANY ? column.sql : `case when not l.is_default then ${column.sql} end`;
  const place = placeOf(field);
  if (place === undefined) return { sql: ofList, params: column.params };
  const ofProfile = profileValueSql(place);
  // Members of the shared network, and contacts without a profile so far, have only the columns of their list.
  return {
    sql: `case when c.profile_id is not null then ${ofProfile.sql} else ${ofList} end`,
    params: [...ofProfile.params, ...column.params],
  };
}

const columnSql = (labels: readonly string[]): SqlPart =>
  labels.length === 0
    ? { sql: 'null::text', params: [] }
    : {
        sql: `coalesce(${labels.map(() => `nullif(c.attributes ->> ?::text, '')`).join(', ')})`,
        params: [...labels],
      };

/** SQL expression of any number of fields, as a JSON array in the same order. */
export function contactFieldsSql(fields: readonly ContactField[]): SqlPart {
  const parts = fields.map(contactFieldSql);
  return {
    sql: `to_json(array[${parts.map(({ sql }) => sql).join(', ')}]::text[])`,
    params: parts.flatMap(({ params }) => params),
  };
}

/** Fields that every query of recipients selects, and their columns. */
const SELECTED: ReadonlyMap<string, string> = new Map([
  ['email', 'email'],
  ['full_name', 'name'],
]);

/** The column that holds a field, by the name of its tag. */
export type FieldColumns = ReadonlyMap<string, string>;

/** @returns the columns of `fieldColumnsSql`; email and name are among the query's own */
export const fieldColumns = (fields: readonly ContactField[]): FieldColumns =>
  new Map(fields.map(({ tag }, i) => [tag, SELECTED.get(tag) ?? `value_${i}`]));

/**
 * SQL of the columns of any number of fields, each preceded by a comma, for a query that selects `email` and `name`
 * itself.
 */
export function fieldColumnsSql(fields: readonly ContactField[]): SqlPart {
  const parts = fields.map((field, i) => {
    if (SELECTED.has(field.tag)) return null;
    const { sql, params } = contactFieldSql(field);
    return { sql: `, ${sql} as value_${i}`, params };
  });
  return {
    sql: parts.map((part) => part?.sql ?? '').join(''),
    params: parts.flatMap((part) => part?.params ?? []),
  };
}

/**
 * The values of one contact's fields, in the order of the fields; empty ones are absent. Values are cleaned when they
 * are read and not when they are loaded, because a batch loads hundreds of contacts in advance.
 */
export class ContactValues implements TagValues {
  constructor(
    private readonly fields: readonly ContactField[],
    private readonly found: readonly (string | null)[],
  ) {}

  get(tag: string): string | undefined {
    for (let i = 0; i < this.fields.length; i++)
      if (this.fields[i]!.tag === tag) return cleanValue(this.found[i] ?? '') || undefined;
    return undefined;
  }

  has(tag: string): boolean {
    return this.get(tag) !== undefined;
  }
}

/** The same from the columns of a row: thousands a second are read, so nothing is copied. */
export class RowValues implements TagValues {
  private readonly row: Readonly<Record<string, unknown>>;

  constructor(
    private readonly columns: FieldColumns,
    row: object,
  ) {
    this.row = row as Record<string, unknown>;
  }

  get(tag: string): string | undefined {
    const column = this.columns.get(tag);
    return column === undefined ? undefined : cleanValue((this.row[column] as string | null) ?? '') || undefined;
  }

  has(tag: string): boolean {
    return this.get(tag) !== undefined;
  }
}
