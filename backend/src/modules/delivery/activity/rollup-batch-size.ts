/** Maximum and minimum number of deliveries per transaction. */
export const MAX_BATCH = 7_500;
const MIN_BATCH = 500;
/**
 * Target time per transaction, in ms. Until the transaction ends, deleting one of its people or changing an address has
 * to wait, and the statement timeout for that is a few seconds.
 */
const TARGET_MS = 500;

/** Size of the next batch: half after a slow batch, double after a fast one. */
export function nextBatchSize(size: number, tookMs: number): number {
  if (tookMs > TARGET_MS) return Math.max(MIN_BATCH, Math.floor(size / 2));
  return tookMs * 2 < TARGET_MS ? Math.min(MAX_BATCH, size * 2) : size;
}
