import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { client } from '../../api/client';
import { formatDateTime, formatDuration } from '../../lib/format';
import { IconAlert } from '../../ui/icons';
import { ProgressBar } from '../../ui/loading/progress-bar';
import { StatusBadge } from '../../ui/status-badge';
import type { DeliveryCounts, HistoryEntry, HistoryItem, RunningSend } from './api';

const labels = { paused: 'Paused', cancelled: 'Cancelling', running: 'Sending' } as const;

/** The live progress bar of a pending send. */
export function SendProgress({
  counts,
  total,
  note,
  stopped,
}: {
  counts: DeliveryCounts | null;
  total: number;
  note?: string;
  stopped?: HistoryItem['stopped'];
}) {
  return (
    <ProgressBar
      label={labels[stopped ?? 'running']}
      done={counts ? endedCount(counts) : 0}
      total={counts ? total : 0}
      note={note}
    />
  );
}

/** Explains why a send waits when its attached files cannot be read. */
export function FilesWait({ wait }: { wait: NonNullable<HistoryEntry['filesWait']> }) {
  return (
    <Alert severity="warning" icon={<IconAlert size={18} aria-hidden />} sx={{ mt: 2, py: 0.25 }}>
      {wait.givenUpAt
        ? `Waiting for file storage: an attached file is missing there. If it is not back by ${formatDateTime(wait.givenUpAt)}, the remaining recipients are skipped.`
        : 'Waiting for file storage: the attached files cannot be read at the moment. The send continues by itself.'}
    </Alert>
  );
}

/** The status of a send. A paused send shows Paused instead of Pending; a cancelled one that sent something shows both. */
export function SendStatus({ item }: { item: Pick<HistoryItem, 'status' | 'stopped'> }) {
  if (item.stopped === 'paused') return <StatusBadge status="paused" />;
  if (item.stopped !== 'cancelled') return <StatusBadge status={item.status} />;
  return (
    <Box component="span" sx={{ display: 'inline-flex', gap: 0.75 }}>
      {item.status === 'sent' && <StatusBadge status="sent" />}
      <StatusBadge status="cancelled" />
    </Box>
  );
}

/** Recipients with a final result. `unsubscribed` is not counted, since it comes after a delivery. */
export const endedCount = (counts: DeliveryCounts): number =>
  counts.sent + counts.unconfirmed + counts.failed + counts.skipped + counts.bounced + counts.complained;

export interface Sample {
  at: number;
  done: number;
}

/**
 * 'about 4 minutes left'.
 * @returns undefined until a rate can be measured, and once all messages have a result
 */
export function timeLeft(first: Sample, last: Sample, total: number): string | undefined {
  const seconds = (last.at - first.at) / 1000;
  const done = last.done - first.done;
  if (seconds < 2 || done <= 0 || last.done >= total) return undefined;
  return `about ${formatDuration(((total - last.done) / done) * seconds)} left`;
}

interface Followed {
  send: RunningSend;
  first: Sample;
  last: Sample;
}

/**
 * The progress of a pending send, from the list of running tasks that the layout keeps. The time left is estimated from
 * the rate since the send was first seen.
 */
export function useProgress(id: string, isPending: boolean) {
  const { data, fulfilledTimeStamp: at = 0 } = client.useGetRunningTasksQuery(undefined, { skip: !isPending });
  const send = isPending ? data?.sends.find((one) => one.id === id && one.status === 'pending') : undefined;
  const [followed, setFollowed] = useState<Followed | null>(null);
  if (!send && followed) setFollowed(null);
  if (send && send !== followed?.send) {
    const last = { at, done: endedCount(send.counts) };
    // The rate before a pause says nothing about the time left after it.
    setFollowed({ send, first: followed && followed.send.stopped === send.stopped ? followed.first : last, last });
  }
  return {
    counts: (send?.counts ?? null) as DeliveryCounts | null,
    note: (total: number) =>
      followed && !followed.send.stopped ? timeLeft(followed.first, followed.last, total) : undefined,
  };
}

/**
 * Refetches a pending send whenever the running tasks are updated, unless the send is among them. Only the newest tasks
 * are listed, and the screen of an unlisted send would otherwise get no counts.
 */
export function useRefreshUnlisted(id: string, isPending: boolean, refetch: () => unknown): void {
  const { data, fulfilledTimeStamp: at } = client.useGetRunningTasksQuery(undefined, { skip: !isPending });
  const isUnlisted = data !== undefined && !data.sends.some((one) => one.id === id);
  const seen = useRef(at);
  const refresh = useEffectEvent(() => {
    const isFirst = seen.current === undefined;
    if (seen.current === at) return;
    seen.current = at;
    if (isUnlisted && !isFirst) refetch();
  });
  useEffect(() => refresh(), [at]);
}
