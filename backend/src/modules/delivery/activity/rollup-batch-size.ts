/** Maximum and minimum number of deliveries per transaction. */
export const MAX_BATCH = 7_500;
const MIN_BATCH = 500;
/**
 * Target time per transaction, in milliseconds. Until it ends, deleting one of its people or changing an address waits,
 * within a statement timeout of seconds.
 */
const TARGET_MS = 500;

/** Size of the next batch, by how long one of `size` deliveries took: half after a slow one, twice after a fast one. */
export function nextBatchSize(size: number, tookMs: number): number {
  if (tookMs > TARGET_MS) return Math.max(MIN_BATCH, Math.floor(size / 2));
  return tookMs * 2 < TARGET_MS ? Math.min(MAX_BATCH, size * 2) : size;
}
