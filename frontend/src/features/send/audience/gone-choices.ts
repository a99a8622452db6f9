interface Named {
  id: string;
  name: string;
}

/**
 * Chosen items that no longer exist, with a name that says so, so that they can be removed.
 * @param page undefined until it is loaded. If it does not contain all items, nothing is reported as gone.
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
