/**
 * Maximum number of sends to remember. If there are more, the send tried longest ago is forgotten and retried sooner
 * than necessary.
 */
const MAX_SENDS = 10_000;

/** Remembers when this process last tried sends whose files were still being scanned. */
export class FileWaits {
  /** Time of the last try by `performance.now`, per send id, the earliest first. */
  private readonly triedAt = new Map<string, number>();

  noteTry(id: string): void {
    this.triedAt.delete(id);
    this.triedAt.set(id, performance.now());
    if (this.triedAt.size > MAX_SENDS) this.triedAt.delete(this.triedAt.keys().next().value!);
  }

  /** Ids of the sends that were tried within the last `ms`. */
  within(ms: number): string[] {
    const since = performance.now() - ms;
    for (const [id, at] of this.triedAt) {
      if (at > since) break;
      this.triedAt.delete(id);
    }
    return [...this.triedAt.keys()];
  }
}
