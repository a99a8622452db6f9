import { formatDuration } from '../../lib/format';
import type { DeliveryCounts } from './api';

const names = ['queued', 'sent', 'unconfirmed', 'failed', 'skipped', 'bounced', 'complained', 'unsubscribed'] as const;

/** What an event of the stream says: the counts, alone or under `counts`, and whether the send goes on. */
export interface ProgressEvent {
  counts: DeliveryCounts;
  ended: boolean;
  stopped?: 'paused' | 'cancelled';
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

export function readProgress(data: unknown): ProgressEvent | null {
  if (!isRecord(data)) return null;
  const source = isRecord(data.counts) ? data.counts : data;
  if (!names.some((name) => name in source)) return null;
  const counts = Object.fromEntries(names.map((name) => [name, Number(source[name]) || 0])) as DeliveryCounts;
  const stopped = data.stopped === 'paused' || data.stopped === 'cancelled' ? data.stopped : undefined;
  return { counts, ended: typeof data.status === 'string' && data.status !== 'pending', ...(stopped && { stopped }) };
}

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
