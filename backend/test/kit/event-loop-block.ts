import { performance, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTask } from 'node:timers/promises';

interface Span {
  from: number;
  to: number;
}
interface Tick extends Span {
  cpuMs: number;
}

/** Ticks shorter than this are not recorded individually. */
const LONG_TICK_MS = 50;

/**
 * Longest block of the event loop during `work`, in ms of this thread's processor time. Excludes the time that other
 * processes take, and garbage collection: the test's own modules make the heap several times as large as the product's,
 * so full collections take longer.
 */
export async function eventLoopBlockedMs(work: () => Promise<unknown>): Promise<number> {
  const collections: Span[] = [];
  const note = ({ startTime, duration }: { startTime: number; duration: number }) =>
    collections.push({ from: startTime, to: startTime + duration });
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(note));
  observer.observe({ entryTypes: ['gc'] });
  let longest = 0;
  const long: Tick[] = [];
  let last = { cpu: cpuMs(), at: performance.now() };
  const look = () => {
    const now = { cpu: cpuMs(), at: performance.now() };
    const tick = { from: last.at, to: now.at, cpuMs: now.cpu - last.cpu };
    if (tick.cpuMs < LONG_TICK_MS) longest = Math.max(longest, tick.cpuMs);
    else long.push(tick);
    last = now;
  };
  const timer = setInterval(look, 5);
  try {
    await work();
    look();
    await nextTask();
    observer.takeRecords().forEach(note);
  } finally {
    clearInterval(timer);
    observer.disconnect();
  }
  return Math.max(longest, ...long.map((tick) => tick.cpuMs * (1 - collecting(tick, collections))));
}

/** Share of a tick spent in garbage collection, 0 to 1. */
function collecting(tick: Tick, collections: readonly Span[]): number {
  const ms = collections.reduce(
    (sum, { from, to }) => sum + Math.max(0, Math.min(to, tick.to) - Math.max(from, tick.from)),
    0,
  );
  return Math.min(1, ms / (tick.to - tick.from));
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
