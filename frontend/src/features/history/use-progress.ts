import { useRef, useState } from 'react';
import { useEventSource } from '../../lib/use-event-source';
import { progressUrl, useRefreshEntry, useRefreshLog, type DeliveryCounts } from './api';
import { readProgress, settled, timeLeft, type ProgressEvent, type Sample } from './progress';

/** The log of a running send is asked for again at most so often. */
const LOG_MS = 2000;

interface Followed {
  counts: DeliveryCounts;
  first: Sample;
  last: Sample;
  stopped: ProgressEvent['stopped'];
}

/** Follows a send while it is pending; when it has ended, or was stopped elsewhere, its record is asked for again. */
export function useProgress(id: string, isPending: boolean) {
  const [followed, setFollowed] = useState<Followed | null>(null);
  const refresh = useRefreshEntry(id);
  const refreshLog = useRefreshLog(id);
  const last = useRef<{ stopped: ProgressEvent['stopped']; logAt: number } | null>(null);
  useEventSource(isPending ? progressUrl(id) : null, {
    onEvent: (data) => {
      const event = readProgress(data);
      if (!event) return;
      const sample = { at: Date.now(), done: settled(event.counts) };
      // What was delivered before a pause says nothing about the time left after it.
      setFollowed((before) => ({
        counts: event.counts, first: before && before.stopped === event.stopped ? before.first : sample, last: sample, stopped: event.stopped,
      }));
      const before = last.current ?? { stopped: event.stopped, logAt: sample.at };
      const logDue = sample.at - before.logAt >= LOG_MS;
      last.current = { stopped: event.stopped, logAt: logDue ? sample.at : before.logAt };
      if (event.ended || event.stopped !== before.stopped) refresh();
      else if (logDue) refreshLog();
    },
    onEnd: refresh,
  });
  return {
    counts: followed?.counts ?? null,
    note: (total: number) => (followed && !followed.stopped ? timeLeft(followed.first, followed.last, total) : undefined),
  };
}
