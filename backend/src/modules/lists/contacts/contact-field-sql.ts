import type { SqlPart } from '../../../shared/database/queries/rows.js';
import type { TagPiece } from '../../../shared/merge-tags/pieces.js';
import { cleanValue, type TagValues } from '../../../shared/merge-tags/values.js';
import { profileValueSql } from '../../contacts/index.js';

/** A field of a contact whose value a message contains, named by its merge tag. */
export type ContactField = Pick<TagPiece, 'tag' | 'labels' | 'profile'>;

/** Maximum number of labels read for one field: a list with many imports may spell one label in many ways. */
const MAX_LABELS = 10;

const OWN_COLUMNS: Readonly<Record<string, string>> = {
  first_name: 'c.first_name',
  // Of members of the shared network, only first name and company are used.
  last_name: 'case when not l.is_default then c.last_name end',
  full_name: 'c.name',
  email: 'c.email',
};
const COMPANY = 'company';

/**
 * Where a profile stores the field, in the form that `profileValueSql` takes.
 * @returns undefined if only lists have the field
 */
const placeOf = ({ tag, profile }: ContactField): string | undefined => (tag === COMPANY ? COMPANY : profile);

/** SQL join of profile `p` to contact `c`, if the expressions of these fields need it; else empty. */
export const profileJoin = (fields: readonly ContactField[]): string =>
  fields.some((field) => placeOf(field) !== undefined) ? 'left join contact_profiles p on p.id = c.profile_id' : '';

/** SQL expression of one field, text or null, over `c` (contact), `l` (its list) and the `p` of `profileJoin`. */
export function contactFieldSql(field: ContactField): SqlPart {
  const { tag, labels = [] } = field;
  if (Object.hasOwn(OWN_COLUMNS, tag)) return { sql: OWN_COLUMNS[tag]!, params: [] };
  const column = columnSql(labels.slice(0, MAX_LABELS));
  const ofList = tag === COMPANY ? column.sql : `case when not l.is_default then ${column.sql} end`;
  const place = placeOf(field);
  if (place === undefined) return { sql: ofList, params: column.params };
  const ofProfile = profileValueSql(place);
  // Members of the shared network, and contacts that have no profile yet, only have the columns of their list.
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

/** SQL expression of several fields as a JSON array, in the same order. */
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

/** Column that holds a field's value, by the name of the field's merge tag. */
export type FieldColumns = ReadonlyMap<string, string>;

/** The columns of `fieldColumnsSql` by merge tag. Email and full name are among the query's own columns. */
export const fieldColumns = (fields: readonly ContactField[]): FieldColumns =>
  new Map(fields.map(({ tag }, i) => [tag, SELECTED.get(tag) ?? `value_${i}`]));

/** SQL of the columns of these fields, each preceded by a comma, for a query that selects `email` and `name` itself. */
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
 * The values of one contact's fields, given in the order of the fields; empty values are absent. Values are cleaned on
 * access and not on load, because a batch loads hundreds of contacts in advance.
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

/**
 * The values of one contact's fields, in the columns of its row. Copies nothing, as thousands of rows a second are
 * read.
 */
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
