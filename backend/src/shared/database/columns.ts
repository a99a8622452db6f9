import { randomUUID } from 'node:crypto';

/** Column options that every table shares: uuid keys made by the database, times with zone (decisions.md D30). Spread them: the decorators write into what they are given. */
export const uuidKey = { type: 'uuid', defaultRaw: 'gen_random_uuid()' } as const;
export const timestamp = { type: 'datetime', columnType: 'timestamptz' } as const;
export const createdAtColumn = { ...timestamp, defaultRaw: 'now()' } as const;
export const updatedAtColumn = { ...createdAtColumn, onUpdate: () => new Date() } as const;

/** A new row's id where the application must know it before the insert. */
export const newId = (): string => randomUUID();

/** `col in ('a', 'b')`, for check constraints made from the same set as the TypeScript type. */
export function oneOf(column: string, values: readonly string[]): string {
  return `${column} in (${values.map((value) => `'${value}'`).join(', ')})`;
}
