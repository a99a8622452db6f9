import { invalid } from '../errors/app-error.js';

/** Where a page ends: the sort value of a row, its id, and the direction to go on in. */
interface Cursor {
  value: string;
  id: string;
  back: boolean;
}

/** One order of a table: an SQL expression that never is null, and the type its cursor value is cast to. */
export interface SortKey {
  expression: string;
  type: 'text' | 'timestamptz';
}

/** A sort value as exact text: a JS Date would lose PostgreSQL's microseconds and with them rows. */
const asText = ({ expression, type }: SortKey): string =>
  type === 'text' ? expression : `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** Keyset paging over (sort value, id): every page costs the same, and no row is met twice or missed while none moves. */
export class Keyset {
  private readonly cursor: Cursor | null;
  private readonly key: SortKey;
  private readonly descending: boolean;

  constructor(sorts: Record<string, SortKey>, sort: string, cursor: string | undefined, private readonly idColumn: string) {
    this.descending = sort.startsWith('-');
    const key = sorts[sort.replace(/^-/, '')];
    if (!key) throw invalid('sort', `sort must be one of ${Object.keys(sorts).join(', ')}, with - for descending`);
    this.key = key;
    this.cursor = cursor === undefined ? null : this.read(cursor);
  }

  /** Columns that the query must select beside its own. */
  get columns(): string {
    return `${asText(this.key)} as keyset_value, ${this.idColumn} as keyset_id`;
  }

  /** Condition of the page, `true` on the first. */
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

  /** Of limit + 1 rows asked for: the page in its right order and the cursors around it. */
  page<R extends KeysetRow>(found: R[], limit: number): { rows: R[]; next: string | null; prev: string | null } {
    const isMore = found.length > limit;
    const rows = found.slice(0, limit);
    if (this.cursor?.back) rows.reverse();
    const [first, last] = [rows[0], rows.at(-1)];
    const hasNext = this.cursor?.back ? true : isMore;
    const hasPrev = this.cursor ? (this.cursor.back ? isMore : true) : false;
    return { rows, next: hasNext && last ? this.write(last, false) : null, prev: hasPrev && first ? this.write(first, true) : null };
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
      const fits = typeof value === 'string' && !value.includes('\0') && (this.key.type === 'text' || TIME.test(value));
      if (fits && typeof id === 'string' && UUID.test(id)) return { value, id, back: back === 1 };
    } catch {
      // falls through: a cursor that is none
    }
    throw invalid('cursor', 'The cursor is not valid');
  }
}

export interface KeysetRow {
  keyset_value: string;
  keyset_id: string;
}

/** Text for a LIKE that finds it anywhere, its own wildcards escaped. */
export const contains = (search: string): string => `%${startsWith(search)}`;
/** Text for a LIKE that finds it at the beginning, its own wildcards escaped. */
export const startsWith = (search: string): string => `${search.replace(/\0/g, '').replace(/[\\%_]/g, '\\$&')}%`;
