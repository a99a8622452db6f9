import { useState } from 'react';
import { useEventSource } from '../../lib/use-event-source';
import { progressUrl, useRefreshEntry, type DeliveryCounts } from './api';
import { readProgress, settled, timeLeft, type Sample } from './progress';

interface Followed {
  counts: DeliveryCounts;
  first: Sample;
  last: Sample;
}

/** Follows a send while it is pending; when it has ended, its record is asked for again. */
export function useProgress(id: string, isPending: boolean) {
  const [followed, setFollowed] = useState<Followed | null>(null);
  const refresh = useRefreshEntry(id);
  useEventSource(isPending ? progressUrl(id) : null, {
    onEvent: (data) => {
      const event = readProgress(data);
      if (!event) return;
      const sample = { at: Date.now(), done: settled(event.counts) };
      setFollowed((before) => ({ counts: event.counts, first: before?.first ?? sample, last: sample }));
      if (event.ended) refresh();
    },
    onEnd: refresh,
  });
  return {
    counts: followed?.counts ?? null,
    note: (total: number) => (followed ? timeLeft(followed.first, followed.last, total) : undefined),
  };
}
