import { randomUUID } from 'node:crypto';

/**
 * Column options that all tables share: uuid keys that the database generates, and timestamps with time zone. Spread
 * these objects instead of passing them, because the decorators modify what they receive.
 */
export const uuidKey = { type: 'uuid', defaultRaw: 'gen_random_uuid()' } as const;
export const timestamp = { type: 'datetime', columnType: 'timestamptz' } as const;
export const createdAtColumn = { ...timestamp, defaultRaw: 'now()' } as const;
export const updatedAtColumn = { ...createdAtColumn, onUpdate: () => new Date() } as const;

/** A new row's id, for code that needs the id before the insert. */
export const newId = (): string => randomUUID();

/** SQL condition `column in ('a', 'b')` for a check constraint, built from the values of a TypeScript type. */
export function oneOf(column: string, values: readonly string[]): string {
  return `${column} in (${values.map((value) => `'${value}'`).join(', ')})`;
}

/**
 * SQL expression: the current UTC date of the database's clock. It is the same day for all instances and all users,
 * whatever their time zone.
 */
export const UTC_TODAY = `(now() at time zone 'UTC')::date`;

/**
 * SQL expression: the host of a mail address.
 * @param address SQL expression of the address
 */
export const hostSql = (address: string): string => `split_part(${address}, '@', -1)`;
