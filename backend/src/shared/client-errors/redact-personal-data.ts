const ADDRESS = /[^\s@"'<>()]{1,64}@[^\s@"'<>()]{1,255}/g;
/**
 * Values that parsers quote in error messages. Parsers put values in double quotes or backticks, and property names in
 * single quotes.
 */
const QUOTED = /"[^"]*"?|`[^`]*`?/g;
const ORIGIN = /https?:\/\/[^\s/)]+/gi;
const QUERY = /[?#][^\s:)]*/g;
/** Ids, tokens and telephone numbers. Does not match script hashes or line and column numbers, which are shorter. */
const LONG_NUMBER = /\b(?:\d{7,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{32,})\b/gi;
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f\u0085\u2028\u2029]+/g;

/**
 * Removes whatever may be personal data from a browser's error text: mail addresses, quoted values, hosts, queries,
 * ids.
 */
export function redactPersonalData(text: string): string {
  return text
    .replace(CONTROL, ' ')
    .replace(QUOTED, '"…"')
    .replace(ADDRESS, '[address]')
    .replace(ORIGIN, '')
    .replace(QUERY, '')
    .replace(LONG_NUMBER, '[id]')
    .trim();
}
