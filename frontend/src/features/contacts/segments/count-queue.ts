import { useEffect, useState } from 'react';

/**
 * Number of counts that start at once. The others follow one by one, which stays below the server's limit of 120 a
 * minute.
 */
const AT_ONCE = 10;
const EVERY_MS = 700;

const waiting: (() => void)[] = [];
let free = AT_ONCE;
let timer: ReturnType<typeof setInterval> | undefined;

function refill(): void {
  timer ??= setInterval(() => {
    const next = waiting.shift();
    if (next) return next();
    free += 1;
    if (free < AT_ONCE) return;
    clearInterval(timer);
    timer = undefined;
  }, EVERY_MS);
}

/** Whether a count may start: the counts of many segments on one page are queued. */
export function useCountTurn(): boolean {
  const [hasTurn, setHasTurn] = useState(false);
  useEffect(() => {
    const start = () => setHasTurn(true);
    refill();
    if (free > 0) {
      free -= 1;
      start();
      return undefined;
    }
    waiting.push(start);
    return () => {
      const place = waiting.indexOf(start);
      if (place >= 0) waiting.splice(place, 1);
    };
  }, []);
  return hasTurn;
}
