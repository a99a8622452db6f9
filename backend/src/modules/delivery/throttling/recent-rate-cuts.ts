/** Ms for which a cut is remembered. No prepared message waits longer than that. */
const KEPT_MS = 600_000;

/**
 * When each limiter was last cut on this worker, by performance.now(). A limiter is named by its provider, by its
 * domain or by a result of `heldName`. Forgets cuts after KEPT_MS.
 */
export class RecentRateCuts {
  /** In the order of the cuts, oldest first. */
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
