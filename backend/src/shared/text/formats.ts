const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID; PostgreSQL refuses a statement with any other as an id. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** A time of a database row in the API's form (ISO 8601, UTC, milliseconds). */
export function isoTime(time: Date | string): string;
export function isoTime(time: Date | string | null): string | null;
export function isoTime(time: Date | string | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

/** SQL for a timestamp column in the same form. */
export const isoTimeSql = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
