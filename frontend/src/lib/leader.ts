import { storage } from './storage';

const LEASE_MS = 4000;
const RENEW_MS = 1000;
/** Two tabs that take a lease at the same moment see each other after this. */
const SETTLE_MS = 150;

/**
 * Runs `run` in one tab of this browser at a time; when that tab closes, in another. `run`'s signal ends with `signal`, or when another tab
 * turns out to lead. Uses the Web Locks API; pages without it (plain http) keep a lease in localStorage.
 */
export function lead(name: string, signal: AbortSignal, run: (signal: AbortSignal) => void): void {
  if (typeof navigator !== 'undefined' && navigator.locks) {
    const hold = () => new Promise<void>((release) => {
      signal.addEventListener('abort', () => release());
      run(signal);
    });
    navigator.locks.request(name, { signal }, hold).catch(() => undefined);
  } else leadByLease(`lease_${name}`, signal, run);
}

interface Lease {
  holder: string;
  until: number;
}

const isLease = (value: unknown): value is Lease => typeof value === 'object' && value !== null && 'holder' in value && 'until' in value;

function leadByLease(key: string, signal: AbortSignal, run: (signal: AbortSignal) => void): void {
  const holder = Math.random().toString(36).slice(2);
  let leading: AbortController | undefined;
  let settling: ReturnType<typeof setTimeout> | undefined;
  const isOthers = () => {
    const lease = storage.read(key, (value) => (isLease(value) ? value : null));
    return lease !== null && lease.holder !== holder && lease.until > Date.now();
  };
  const take = () => storage.write(key, { holder, until: Date.now() + LEASE_MS });
  const begin = () => {
    settling = undefined;
    if (isOthers() || signal.aborted) return;
    leading = new AbortController();
    run(leading.signal);
  };
  const renew = () => {
    if (isOthers()) {
      leading?.abort();
      leading = undefined;
      return;
    }
    take();
    if (!leading) settling ??= setTimeout(begin, SETTLE_MS);
  };
  const leave = () => {
    clearTimeout(settling);
    settling = undefined;
    if (!isOthers()) storage.remove(key);
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
