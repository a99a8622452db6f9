import { useEffect, useState } from 'react';

/**
 * Number of counts that start at once. The others follow one by one, which stays below the server's limit of 120 a
 * minute.
 */
const BURST_COUNTS = 10;
const COUNT_INTERVAL_MS = 700;

const waiting: (() => void)[] = [];
let freeSlots = BURST_COUNTS;
let timer: ReturnType<typeof setInterval> | undefined;

function refill(): void {
  timer ??= setInterval(() => {
    const next = waiting.shift();
    if (next) return next();
    freeSlots += 1;
    if (freeSlots < BURST_COUNTS) return;
    clearInterval(timer);
    timer = undefined;
  }, COUNT_INTERVAL_MS);
}

/** Whether a count may start: the counts of many segments on one page are queued. */
export function useCountSlot(): boolean {
  const [hasSlot, setHasSlot] = useState(false);
  useEffect(() => {
    const start = () => setHasSlot(true);
    refill();
    if (freeSlots > 0) {
      freeSlots -= 1;
      start();
      return undefined;
    }
    waiting.push(start);
    return () => {
      const place = waiting.indexOf(start);
      if (place >= 0) waiting.splice(place, 1);
    };
  }, []);
  return hasSlot;
}
