const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** A stream that stands so long was a good one: the next outage starts with a short pause again. */
const STEADY_MS = 10_000;
/** The server says something every 15 s; after this the connection is gone without a word, as after a sleep. */
const SILENCE_MS = 40_000;

export interface EventStreamHandlers {
  /** The address to open now. */
  url: () => string;
  /** It stands. */
  opened: () => void;
  /** An event with JSON in it. */
  event: (name: string, data: unknown) => void;
  /** It broke or was refused; it is opened again. Called once for each outage. */
  lost: () => void;
}

/** Pause before the nth try in a row, in ms: exponential backoff with jitter, so that tabs of many people do not come back in step. */
export const pauseBefore = (tries: number, random = Math.random()): number => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries) * (0.5 + random / 2);

/** Keeps a server-sent event stream of ours open until `signal` ends it. */
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
  /** A finished stream looks like a broken one: it is closed and opened again by our own clock. */
  function broken() {
    if (!source) return;
    close();
    if (openedAt && Date.now() - openedAt > STEADY_MS) tries = 0;
    openedAt = 0;
    if (!isOut) handlers.lost();
    isOut = true;
    timer = setTimeout(open, pauseBefore(tries++));
  }
  /** Back from a sleep or online again: who waits for the next try tries now, and a silent stream is not waited for. */
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
