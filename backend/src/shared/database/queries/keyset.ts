import { isUuid } from '../../text/formats.js';
import { invalid } from '../../errors/app-error.js';

/** Position in a collection: sort value and id of a row, and the paging direction. */
interface Cursor {
  value: string;
  id: string;
  back: boolean;
}

/** A sort order: an SQL expression that is never null, and the type to which its cursor value is cast. */
export interface SortKey {
  expression: string;
  type: 'text' | 'timestamptz' | 'integer';
}

/**
 * SQL expression: a sort value as exact text, for the cursor. A JS Date would drop PostgreSQL's microseconds, and
 * paging would skip rows.
 */
function asText({ expression, type }: SortKey): string {
  if (type === 'text') return expression;
  return type === 'integer'
    ? `(${expression})::text`
    : `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** Whether a text is a valid value of the type. PostgreSQL would refuse the statement for any other text. */
const IS_VALUE: Record<SortKey['type'], (text: string) => boolean> = {
  text: (text) => !text.includes('\0'),
  timestamptz: (text) => /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(text) && isCalendarTime(text),
  integer: (text) => /^-?\d{1,9}$/.test(text),
};

/** False for a date or time that does not exist, such as February 30. */
function isCalendarTime(text: string): boolean {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString().slice(0, 19) === text.slice(0, 19);
}

/**
 * Keyset pagination over (sort value, id). Every page costs the same, and no row that stays unchanged is repeated or
 * skipped.
 */
export class Keyset {
  private readonly cursor: Cursor | null;
  private readonly key: SortKey;
  private readonly descending: boolean;

  constructor(
    sorts: Record<string, SortKey>,
    sort: string,
    cursor: string | undefined,
    private readonly idColumn: string,
  ) {
    this.descending = sort.startsWith('-');
    const name = sort.replace(/^-/, '');
    const key = Object.hasOwn(sorts, name) ? sorts[name] : undefined;
    if (!key) throw invalid('sort', `sort must be one of ${Object.keys(sorts).join(', ')}, with - for descending`);
    this.key = key;
    this.cursor = cursor === undefined ? null : this.read(cursor);
  }

  /** Columns that the query must select in addition to its own. */
  get columns(): string {
    return `${asText(this.key)} as keyset_value, ${this.idColumn} as keyset_id`;
  }

  /** SQL condition of the page; `true` for the first page. */
  get where(): string {
    if (!this.cursor) return 'true';
    return `(${this.key.expression}, ${this.idColumn}) ${this.isUpwards ? '>' : '<'} (?::${this.key.type}, ?::uuid)`;
  }

  get params(): unknown[] {
    return this.cursor ? [this.cursor.value, this.cursor.id] : [];
  }

  get orderBy(): string {
    const way = this.isUpwards ? 'asc' : 'desc';
    return `${this.key.expression} ${way}, ${this.idColumn} ${way}`;
  }

  /**
   * Turns the fetched rows, at most limit + 1, into a page in its order, with the cursors of the neighbouring pages.
   */
  page<R extends KeysetRow>(found: R[], limit: number): { rows: R[]; next: string | null; prev: string | null } {
    const isMore = found.length > limit;
    const rows = found.slice(0, limit);
    if (this.cursor?.back) rows.reverse();
    const [first, last] = [rows[0], rows.at(-1)];
    const hasNext = this.cursor?.back ? true : isMore;
    const hasPrev = this.cursor ? (this.cursor.back ? isMore : true) : false;
    return {
      rows,
      next: hasNext && last ? this.write(last, false) : null,
      prev: hasPrev && first ? this.write(first, true) : null,
    };
  }

  private get isUpwards(): boolean {
    return this.descending === (this.cursor?.back ?? false);
  }

  private write(row: KeysetRow, back: boolean): string {
    return Buffer.from(JSON.stringify([row.keyset_value, row.keyset_id, back ? 1 : 0])).toString('base64url');
  }

  private read(text: string): Cursor {
    try {
      const [value, id, back] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown[];
      const fits = typeof value === 'string' && IS_VALUE[this.key.type](value);
      if (fits && typeof id === 'string' && isUuid(id)) return { value, id, back: back === 1 };
    } catch {
      // A malformed cursor is refused below.
    }
    throw invalid('cursor', 'The cursor is not valid');
  }
}

export interface KeysetRow {
  keyset_value: string;
  keyset_id: string;
}

/** Returns a row without the columns that the keyset added. */
export function withoutKeys<R extends KeysetRow>(row: R): Omit<R, keyof KeysetRow> {
  const { keyset_value: _value, keyset_id: _id, ...own } = row;
  return own;
}

/** LIKE pattern that matches the text anywhere, with wildcards escaped. */
export const contains = (search: string): string => `%${startsWith(search)}`;
/** LIKE pattern that matches the text at the beginning, with wildcards escaped. */
export const startsWith = (search: string): string => `${search.replace(/\0/g, '').replace(/[\\%_]/g, '\\$&')}%`;
