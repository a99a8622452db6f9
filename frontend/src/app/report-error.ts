import { matchPath } from 'react-router-dom';
import { releaseId } from '../lib/release';
import { routes } from '../lib/routes';

export type ErrorKind = 'screen' | 'script' | 'promise';

/** A page that breaks again and again says so this often; the server counts as well. */
const MOST = 5;
const MAX_MESSAGE = 300;
const MAX_STACK = 1200;
const seen = new Set<string>();

/** The pattern of an address: ids and tokens in it are nobody's business. */
const screenOf = (path: string) => Object.values(routes).find((route) => matchPath(route.path, path))?.path ?? '/*';

const textOf = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : `Thrown: ${typeof error}`);

/** Lines of our own scripts, by their path. */
const stackOf = (error: unknown) =>
  (error instanceof Error ? (error.stack ?? '') : '')
    .split('\n')
    .filter((line) => line.includes(`${location.origin}/`))
    .map((line) => line.trim().replaceAll(location.origin, ''))
    .join('\n');

/** Tells the server's log of a fault, once for each: what broke and in which release, never for whom. */
export function reportError(kind: ErrorKind, error: unknown): void {
  const message = textOf(error).slice(0, MAX_MESSAGE);
  if (seen.has(message) || seen.size >= MOST) return;
  seen.add(message);
  const body = JSON.stringify({ release: releaseId(), kind, screen: screenOf(location.pathname), message, stack: stackOf(error).slice(0, MAX_STACK) });
  // What cannot be reported is not worth a second fault.
  void fetch(new Request('/api/client-errors', { method: 'POST', headers: { 'content-type': 'application/json' }, body, credentials: 'omit', keepalive: true })).catch(() => undefined);
}

/** For tests: as on a page that was just opened. */
export const forgetReportedErrors = () => seen.clear();

/** Reports what nothing on the page catches. */
export function reportUncaughtErrors(): void {
  window.addEventListener('error', ({ error }) => reportError('script', error));
  window.addEventListener('unhandledrejection', ({ reason }) => {
    // An answer that a screen did not wait for is no fault of a script.
    if (reason instanceof Error && reason.name !== 'AbortError') reportError('promise', reason);
  });
}
