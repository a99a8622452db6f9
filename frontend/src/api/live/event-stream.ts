const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** After this time the backoff starts again from the first pause. */
const STEADY_MS = 10_000;
/** The server sends a heartbeat every 15 s. After this time without one the connection is taken as broken, as after a sleep. */
const SILENCE_MS = 40_000;

export interface EventStreamHandlers {
  /** The address to open now. */
  url: () => string;
  /** The stream is open. */
  opened: () => void;
  /** An event with its parsed JSON. */
  event: (name: string, data: unknown) => void;
  /** The stream broke or was refused, and is opened again. Called once per outage. */
  lost: () => void;
}

/** The pause before the nth try in a row, in ms: exponential backoff with jitter, so that clients do not reconnect all at once. */
export const pauseBefore = (tries: number, random = Math.random()): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries) * (0.5 + random / 2);

/** Keeps a server-sent event stream open until `signal` aborts. */
export function keepEventStream(names: readonly string[], signal: AbortSignal, handlers: EventStreamHandlers): void {
  if (typeof EventSource === 'undefined') return;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let openedAt = 0;
  let isOut = false;
  let heardAt = Date.now();

  const heard = () => {
    heardAt = Date.now();
    clearTimeout(watchdog);
    watchdog = setTimeout(broken, SILENCE_MS);
  };
  const open = () => {
    clearTimeout(timer);
    timer = undefined;
    source = new EventSource(handlers.url());
    heard();
    source.addEventListener('open', () => {
      openedAt = Date.now();
      isOut = false;
      heard();
      handlers.opened();
    });
    for (const name of names) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        heard();
        handlers.event(name, parse(data));
      });
    }
    source.addEventListener('error', broken);
  };
  const close = () => {
    clearTimeout(watchdog);
    source?.close();
    source = undefined;
  };
  /** A stream that ended looks like a broken one. It is closed, and opened again after the backoff instead of the browser's own delay. */
  function broken() {
    if (!source) return;
    close();
    if (openedAt && Date.now() - openedAt > STEADY_MS) tries = 0;
    openedAt = 0;
    if (!isOut) handlers.lost();
    isOut = true;
    timer = setTimeout(open, pauseBefore(tries++));
  }
  /** After a sleep or when online again, the next try starts at once, and a silent stream counts as broken. */
  const wake = () => {
    if (document.visibilityState === 'hidden') return;
    if (timer) open();
    else if (Date.now() - heardAt > SILENCE_MS / 2) broken();
  };
  document.addEventListener('visibilitychange', wake);
  globalThis.addEventListener('online', wake);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    close();
    document.removeEventListener('visibilitychange', wake);
    globalThis.removeEventListener('online', wake);
  });
  open();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
