import { formatDuration } from '../../lib/format';
import type { DeliveryCounts } from './api';

/** How many recipients are settled: every count but the waiting, and `unsubscribed`, which comes after delivery. */
export const settled = (counts: DeliveryCounts): number =>
  counts.sent + counts.unconfirmed + counts.failed + counts.skipped + counts.bounced + counts.complained;

export interface Sample {
  at: number;
  done: number;
}

/** 'about 4 minutes left', once there is a rate to go by. */
export function timeLeft(first: Sample, last: Sample, total: number): string | undefined {
  const seconds = (last.at - first.at) / 1000;
  const done = last.done - first.done;
  if (seconds < 2 || done <= 0 || last.done >= total) return undefined;
  return `about ${formatDuration(((total - last.done) / done) * seconds)} left`;
}
