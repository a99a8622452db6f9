/**
 * An array parameter for `?::uuid[]`, `?::int[]`, or a `?::text[]` of plain keys: values without commas, quotes,
 * braces, backslashes or blanks.
 */
export const sqlArray = (values: readonly (string | number)[]): string => `{${values.join(',')}}`;
