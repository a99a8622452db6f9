const ADDRESS = /[^\s@"'<>()]{1,64}@[^\s@"'<>()]{1,255}/g;
/** What a parser quotes of the text it failed on; names of properties stand in single quotes. */
const QUOTED = /"[^"]*"?|`[^`]*`?/g;
const ORIGIN = /https?:\/\/[^\s/)]+/gi;
const QUERY = /[?#][^\s:)]*/g;
/** Ids, tokens, telephone numbers; not the hash in a script's name, nor a line and column. */
const LONG_NUMBER = /\b(?:\d{7,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{32,})\b/gi;
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f\u0085\u2028\u2029]+/g;

/** A text from a browser without what could belong to a person: addresses, quoted values, hosts, queries, ids. */
export function impersonal(text: string): string {
  return text.replace(CONTROL, ' ').replace(QUOTED, '"…"').replace(ADDRESS, '[address]').replace(ORIGIN, '').replace(QUERY, '').replace(LONG_NUMBER, '[id]').trim();
}
