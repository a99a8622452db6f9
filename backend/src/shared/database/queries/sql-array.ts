/**
 * Builds an array parameter for `?::uuid[]`, `?::int[]`, or a `?::text[]` whose values contain no commas, quotes,
 * braces, backslashes or blanks.
 */
export const sqlArray = (values: readonly (string | number)[]): string => `{${values.join(',')}}`;
