const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID. PostgreSQL refuses a statement in which another text is used as a uuid. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** The smallest UUID, which no row has: reading by id starts after it, and it stands for "no row" in conditions. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Formats the time of a database row as the API does (ISO 8601, UTC, milliseconds). */
export function isoTime(time: Date | string): string;
export function isoTime(time: Date | string | null): string | null;
export function isoTime(time: Date | string | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

/** SQL expression that formats a timestamp (timestamptz) as isoTime does. A sum needs brackets. */
export const isoTimeSql = (time: string): string =>
  `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
