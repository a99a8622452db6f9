/** What the browser does with the whole document; one object, so that tests can look on instead. */
export const browser = {
  /** Leaves the application for an address: another site's, or a page of ours that is not part of it. */
  leave: (url: string): void => window.location.assign(url),
  reload: (): void => window.location.reload(),
  /** The path at which the present document was loaded; moving about inside the application does not change it. */
  loadedPath: (): string | null => {
    const [entry] = performance.getEntriesByType?.('navigation') ?? [];
    return entry ? new URL(entry.name).pathname : null;
  },
};
