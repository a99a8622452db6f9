import { useState } from 'react';
import { useRunningSend, type DeliveryCounts, type RunningSend } from './api';
import { settled, timeLeft, type Sample } from './progress';

interface Followed {
  send: RunningSend;
  first: Sample;
  last: Sample;
}

/** How far a pending send is, as what runs is followed by the layout; the time left is guessed from the rate since it was first seen running. */
export function useProgress(id: string, isPending: boolean) {
  const { send, at } = useRunningSend(id, isPending);
  const [followed, setFollowed] = useState<Followed | null>(null);
  if (!send && followed) setFollowed(null);
  if (send && send !== followed?.send) {
    const last = { at, done: settled(send.counts) };
    // What was delivered before a pause says nothing about the time left after it.
    setFollowed({ send, first: followed && followed.send.stopped === send.stopped ? followed.first : last, last });
  }
  return {
    counts: (send?.counts ?? null) as DeliveryCounts | null,
    note: (total: number) => (followed && !followed.send.stopped ? timeLeft(followed.first, followed.last, total) : undefined),
  };
}
