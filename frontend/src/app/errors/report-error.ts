import { releaseId } from '../../lib/browser';
import { matchPath, routes } from '../../lib/routes';

export type ErrorKind = 'screen' | 'script' | 'promise';

/**
 * Maximum number of reports of broken screens per REPEAT_AFTER_MS. The same limit applies to all other errors together.
 * The server has its own limit.
 */
const MAX_REPORTS = 5;
/** A page may stay open for days: after an hour, an error may be reported again. */
const REPEAT_AFTER_MS = 3_600_000;
const MAX_MESSAGE_LENGTH = 300;
const MAX_STACK_LENGTH = 1200;
/** The server accepts 2 KB. A character can take several bytes. */
const MAX_BYTES = 2000;
const seen = { screens: new Set<string>(), others: new Set<string>() };
let reportedAt = 0;

/** The route's pattern, without the ids and tokens of the URL. */
const screenOf = (path: string) => Object.values(routes).find((route) => matchPath(route.path, path))?.path ?? '/*';

const textOf = (error: unknown) =>
  error instanceof Error ? `${error.name}: ${error.message}` : `Thrown: ${typeof error}`;

/** The lines of the stack that name this site's scripts, without the origin. */
const stackOf = (error: unknown) =>
  (error instanceof Error ? (error.stack ?? '') : '')
    .split('\n')
    .filter((line) => line.includes(`${location.origin}/`))
    .map((line) => line.trim().replaceAll(location.origin, ''))
    .join('\n');

interface Report {
  release: string;
  kind: ErrorKind;
  screen: string;
  message: string;
  stack: string;
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** The report as JSON within MAX_BYTES: the end of the stack is cut first, then the end of the message. */
function toJson(report: Report): string {
  let { message, stack } = report;
  for (;;) {
    const body = JSON.stringify({ ...report, message, stack });
    const over = bytesOf(body) - MAX_BYTES;
    if (over <= 0 || (stack === '' && message === '')) return body;
    // One UTF-16 unit takes at most three bytes, or six when JSON escapes it.
    const units = Math.ceil(over / 6);
    if (stack) stack = stack.slice(0, -units);
    else message = message.slice(0, -units);
  }
}

/** Reports an error to the server's log, each one once an hour at most, without any data about the person. */
export function reportError(kind: ErrorKind, error: unknown): void {
  const message = textOf(error).slice(0, MAX_MESSAGE_LENGTH);
  const now = Date.now();
  if (now - reportedAt > REPEAT_AFTER_MS) resetReportedErrors();
  const known = kind === 'screen' ? seen.screens : seen.others;
  if (known.has(message) || known.size >= MAX_REPORTS) return;
  known.add(message);
  reportedAt = now;
  const body = toJson({
    release: releaseId(),
    kind,
    screen: screenOf(location.pathname),
    message,
    stack: stackOf(error).slice(0, MAX_STACK_LENGTH),
  });
  // A report that fails is dropped.
  void fetch(
    new Request('/api/client-errors', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      credentials: 'omit',
      keepalive: true,
    }),
  ).catch(() => undefined);
}

/** Clears what was reported, for tests. */
export const resetReportedErrors = () => Object.values(seen).forEach((messages) => messages.clear());

/** Whether the stack names scripts of other origins or extensions, and none of this site. */
const isForeign = (error: Error) => /(?:https?|-extension):\/\//.test(error.stack ?? '') && stackOf(error) === '';

/** Errors of other origins and notices of the browser arrive without an Error. */
const isOwn = (error: unknown): error is Error => error instanceof Error && !isForeign(error);

/** Reports errors and rejections that no code catches. */
export function reportUncaughtErrors(): void {
  window.addEventListener('error', ({ error }) => {
    if (isOwn(error)) reportError('script', error);
  });
  window.addEventListener('unhandledrejection', ({ reason }) => {
    // An aborted request is not an error.
    if (isOwn(reason) && reason.name !== 'AbortError') reportError('promise', reason);
  });
}
