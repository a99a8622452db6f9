import { createHash } from 'node:crypto';

const KEPT_MS = 30_000;
const MAX_KEPT = 1_000;

/** A short key of everything on which a count depends. */
export const countKey = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64');

/**
 * Results of costly counts, each kept for half a minute. Requests that ask for the same at the same time share one
 * count. A count that fails is not kept: the next request counts again.
 */
export class RecentCounts<T> {
  private readonly kept = new Map<string, { until: number; result: T }>();
  private readonly running = new Map<string, Promise<T>>();

  /** @param isKept whether a result may be returned again */
  constructor(private readonly isKept: (result: T) => boolean) {}

  /** The kept or running count of a key; undefined: it must be counted. */
  find(key: string): Promise<T> | undefined {
    const known = this.kept.get(key);
    return known && known.until > performance.now() ? Promise.resolve(known.result) : this.running.get(key);
  }

  /** Counts for a key that `find` does not know. */
  start(key: string, count: () => Promise<T>): Promise<T> {
    const counted = count()
      .then((result) => {
        if (this.isKept(result)) this.keep(key, result);
        return result;
      })
      .finally(() => this.running.delete(key));
    this.running.set(key, counted);
    return counted;
  }

  private keep(key: string, result: T): void {
    const now = performance.now();
    // Ordered by the time of expiry.
    for (const [old, { until }] of this.kept) {
      if (until > now && this.kept.size < MAX_KEPT) break;
      this.kept.delete(old);
    }
    this.kept.delete(key);
    this.kept.set(key, { until: now + KEPT_MS, result });
  }
}
