const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
/** After this time the backoff starts again from the first pause. */
const STABLE_AFTER_MS = 10_000;
/**
 * The server sends a heartbeat every 15 s. If none arrives for this time, as after a sleep of the machine, the
 * connection counts as broken.
 */
const MAX_SILENCE_MS = 40_000;

/**
 * Longest pause after a newer browser's stream has replaced this one. Reconnecting at once would end another browser's
 * stream in turn. The pause ends when the page becomes visible.
 */
const REPLACED_PAUSE_MS = 10 * 60_000;

export interface EventStreamHandlers {
  /** @returns the URL to open now */
  url: () => string;
  /** Called when the stream is open. */
  opened: () => void;
  /** Called for each event, with its parsed JSON. */
  event: (name: string, data: unknown) => void;
  /** Called once per outage, when the stream broke or was refused. The stream is then opened again. */
  lost: () => void;
  /**
   * Called once per outage, when the first attempt to reopen the stream has ended, whether it was opened or refused.
   */
  retried: () => void;
}

/** An event stream that is kept open. */
export interface EventStreamHandle {
  /**
   * Call it after a sleep or when the browser is online again: the next attempt starts at once, and a silent stream
   * counts as broken.
   */
  wake: () => void;
}

/**
 * Pause before the nth attempt in a row, in ms: exponential backoff with jitter, so that clients do not reconnect all
 * at once.
 */
export const pauseBefore = (tries: number, random = Math.random()): number =>
  Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries) * (0.5 + random / 2);

/** Keeps a server-sent event stream open until `signal` aborts. */
export function openEventStream(
  names: readonly string[],
  signal: AbortSignal,
  handlers: EventStreamHandlers,
): EventStreamHandle {
  if (typeof EventSource === 'undefined') return { wake: () => undefined };
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let openedAt = 0;
  let isDisconnected = false;
  let isRetried = true;
  let isReplaced = false;
  /**
   * True after a stream that was open and delivered nothing, which happens when a proxy holds events back. The next
   * stream then counts as open only with its first event.
   */
  let wasSilent = false;
  let receivedAt = Date.now();

  const onReceived = () => {
    receivedAt = Date.now();
    clearTimeout(watchdog);
    watchdog = setTimeout(() => {
      wasSilent = openedAt > 0;
      broken();
    }, MAX_SILENCE_MS);
  };
  const retried = () => {
    if (isRetried) return;
    isRetried = true;
    handlers.retried();
  };
  const open = () => {
    clearTimeout(timer);
    timer = undefined;
    source = new EventSource(handlers.url());
    onReceived();
    let hasReportedOpen = false;
    const reportOpen = () => {
      if (hasReportedOpen) return;
      hasReportedOpen = true;
      isDisconnected = false;
      wasSilent = false;
      handlers.opened();
    };
    source.addEventListener('open', () => {
      openedAt = Date.now();
      onReceived();
      retried();
      if (!wasSilent) reportOpen();
    });
    for (const name of names) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        onReceived();
        reportOpen();
        handlers.event(name, parse(data));
      });
    }
    source.addEventListener('replaced', () => {
      isReplaced = true;
      broken();
    });
    source.addEventListener('error', broken);
  };
  const close = () => {
    clearTimeout(watchdog);
    source?.close();
    source = undefined;
  };
  /**
   * Closes the stream and schedules a new one. The browser reports a stream that ended in the same way as one that
   * broke, so both are reopened after the backoff instead of the browser's own delay.
   */
  function broken() {
    if (!source) return;
    close();
    if (openedAt && Date.now() - openedAt > STABLE_AFTER_MS) tries = 0;
    openedAt = 0;
    if (isDisconnected) retried();
    else handlers.lost();
    if (!isDisconnected) isRetried = false;
    isDisconnected = true;
    timer = setTimeout(open, isReplaced ? REPLACED_PAUSE_MS * (0.5 + Math.random() / 2) : pauseBefore(tries++));
    isReplaced = false;
  }
  const wake = () => {
    if (timer) open();
    else if (Date.now() - receivedAt > MAX_SILENCE_MS / 2) broken();
  };
  const seen = () => document.visibilityState === 'visible' && wake();
  document.addEventListener('visibilitychange', seen);
  globalThis.addEventListener('online', wake);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    close();
    document.removeEventListener('visibilitychange', seen);
    globalThis.removeEventListener('online', wake);
  });
  open();
  return { wake };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
