import { useEffect, useEffectEvent } from 'react';

const RETRY_MS = 3000;

interface Handlers {
  /** A parsed message. */
  onEvent: (data: unknown) => void;
  /** The stream ended or broke; it is opened again after 3 s for as long as `url` is given. */
  onEnd: () => void;
}

/** Follows a server-sent event stream of ours while `url` is given. */
export function useEventSource(url: string | null, handlers: Handlers): void {
  const onEvent = useEffectEvent(handlers.onEvent);
  const onEnd = useEffectEvent(handlers.onEnd);
  useEffect(() => {
    if (!url || typeof EventSource === 'undefined') return;
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const open = () => {
      source = new EventSource(url);
      const read = (event: MessageEvent<string>) => {
        try {
          onEvent(JSON.parse(event.data));
        } catch {
          // A heartbeat or half a message: the next one counts.
        }
      };
      source.addEventListener('message', read);
      source.addEventListener('progress', read);
      source.addEventListener('error', () => {
        // A finished stream looks like a broken one: close it, let the caller look, and try again by our own clock.
        source.close();
        onEnd();
        timer = setTimeout(open, RETRY_MS);
      });
    };
    open();
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [url]);
}
