/**
 * SQL condition: the audience choice excludes an address. Its one parameter is the normalised address.
 * @param choice SQL of the choice as jsonb
 */
export const excludesAddress = (choice: string): string =>
  `exists (select 1 from jsonb_array_elements_text(${choice} -> 'excludeAddresses') e where lower(e) = ?)`;

/**
 * SQL expression: the audience choice without an excluded address. Its one parameter is the normalised address.
 * @param choice SQL of the choice as jsonb
 */
export const withoutExcludedAddress = (choice: string): string =>
  `jsonb_set(${choice}, '{excludeAddresses}', (
     select coalesce(jsonb_agg(e), '[]'::jsonb) from jsonb_array_elements_text(${choice} -> 'excludeAddresses') e where lower(e) <> ?))`;
