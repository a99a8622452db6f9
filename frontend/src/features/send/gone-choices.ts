interface Named {
  id: string;
  name: string;
}

/**
 * The chosen ones that are not among all that there are, with a name that says so, for taking them off.
 * @param page undefined until it is loaded; where it is not all of them nobody knows what is gone
 */
export function goneChoices(
  chosen: readonly string[],
  page: { rows: readonly Named[]; total: number } | undefined,
  noun: string,
): Named[] {
  if (!page || page.total > page.rows.length) return [];
  return chosen
    .filter((id) => !page.rows.some((one) => one.id === id))
    .map((id) => ({ id, name: `A ${noun} that no longer exists` }));
}
