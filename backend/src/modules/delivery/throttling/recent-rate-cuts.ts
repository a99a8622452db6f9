/** Ms for which a cut is remembered. No prepared message waits longer. */
const KEPT_MS = 600_000;

/** Time of the last cut of each provider or domain on this worker, by performance.now(). Forgets cuts after ten minutes. */
export class RecentRateCuts {
  /** Oldest first. */
  private readonly at = new Map<string, number>();

  /** Number of cuts so far. */
  count = 0;

  get size(): number {
    return this.at.size;
  }

  note(provider: string, now = performance.now()): void {
    this.count++;
    this.at.delete(provider);
    this.at.set(provider, now);
    for (const [name, at] of this.at) {
      if (now - at <= KEPT_MS) return;
      this.at.delete(name);
    }
  }

  isSince(provider: string, since: number): boolean {
    return (this.at.get(provider) ?? -1) >= since;
  }
}
