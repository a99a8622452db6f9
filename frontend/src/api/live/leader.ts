import { storage } from '../../lib/storage';

const LEASE_MS = 4000;
const RENEW_MS = 1000;
/** Two tabs that take the lease at the same moment notice each other within this time. */
const CLAIM_CONFIRM_MS = 150;

/** Controls of a tab in the election. */
export interface LeaderElection {
  /** Replaces a leader that does not answer. */
  takeOver: () => void;
}

/**
 * Runs `run` in one tab of this browser at a time; when that tab closes, in another. `run`'s signal aborts with
 * `signal`, or when another tab turns out to lead. Uses the Web Locks API; pages without it (plain http) keep a lease
 * in localStorage, which expires by itself.
 */
export function electLeader(name: string, signal: AbortSignal, run: (signal: AbortSignal) => void): LeaderElection {
  if (typeof navigator !== 'undefined' && navigator.locks) return leadByLock(navigator.locks, name, signal, run);
  leadByLease(`lease_${name}`, signal, run);
  return { takeOver: () => undefined };
}

function leadByLock(
  locks: LockManager,
  name: string,
  signal: AbortSignal,
  run: (signal: AbortSignal) => void,
): LeaderElection {
  /** The lock request that is queued. */
  let waiting: AbortController | undefined;
  const request = (options: LockOptions) => {
    let leading: AbortController | undefined;
    const hold = () =>
      new Promise<void>((release) => {
        const own = (leading = new AbortController());
        waiting = undefined;
        signal.addEventListener('abort', () => {
          own.abort();
          release();
        });
        run(own.signal);
      });
    locks.request(name, options, hold).catch(() => {
      // Aborted, or another tab took over while this one led. In the second case this tab queues again.
      leading?.abort();
      if (leading && !signal.aborted) wait();
    });
  };
  const wait = () => {
    waiting = new AbortController();
    signal.addEventListener('abort', () => waiting?.abort());
    request({ signal: waiting.signal });
  };
  if (!signal.aborted) wait();
  return {
    takeOver: () => {
      if (signal.aborted || !waiting) return;
      waiting.abort();
      waiting = undefined;
      request({ steal: true });
    },
  };
}

interface Lease {
  holder: string;
  until: number;
}

const isLease = (value: unknown): value is Lease =>
  typeof value === 'object' && value !== null && 'holder' in value && 'until' in value;

function leadByLease(key: string, signal: AbortSignal, run: (signal: AbortSignal) => void): void {
  const holder = Math.random().toString(36).slice(2);
  let leading: AbortController | undefined;
  let confirmTimer: ReturnType<typeof setTimeout> | undefined;
  const isHeldByOther = () => {
    const lease = storage.read(key, (value) => (isLease(value) ? value : null));
    return lease !== null && lease.holder !== holder && lease.until > Date.now();
  };
  const writeLease = () => storage.write(key, { holder, until: Date.now() + LEASE_MS });
  const becomeLeader = () => {
    confirmTimer = undefined;
    if (isHeldByOther() || signal.aborted) return;
    leading = new AbortController();
    run(leading.signal);
  };
  const renew = () => {
    if (isHeldByOther()) {
      leading?.abort();
      leading = undefined;
      return;
    }
    writeLease();
    if (!leading) confirmTimer ??= setTimeout(becomeLeader, CLAIM_CONFIRM_MS);
  };
  const leave = () => {
    clearTimeout(confirmTimer);
    confirmTimer = undefined;
    if (!isHeldByOther()) storage.remove(key);
  };
  const timer = setInterval(renew, RENEW_MS);
  globalThis.addEventListener('pagehide', leave);
  signal.addEventListener('abort', () => {
    clearInterval(timer);
    globalThis.removeEventListener('pagehide', leave);
    leave();
    leading?.abort();
  });
  renew();
}
