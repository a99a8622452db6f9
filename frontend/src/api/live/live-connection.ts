import { keepEventStream } from '../../lib/event-stream';
import { lead } from '../../lib/leader';
import { readChange, type Change } from './changes';

/** What the tabs of one browser tell each other: the leader's events, and that its stream stands. */
type Message = { account: string; type: 'change'; change: Change } | { account: string; type: 'refresh' | 'alive' | 'lost' };

export interface LiveHandlers {
  /** Something changed. */
  changed: (change: Change) => void;
  /** Anything may have changed. */
  refresh: () => void;
  /** Whether changes are heard at present. */
  live: (isLive: boolean) => void;
  /** The leader's stream broke or was refused: the session may have ended. */
  lost: () => void;
}

/**
 * Follows what changes for an account until `signal` ends it: one tab of the browser holds the stream and passes on what it hears.
 * @param shownSince when the oldest thing that is shown was asked for (Date.now())
 */
export function followAccount(account: string, shownSince: number, signal: AbortSignal, handlers: LiveHandlers): void {
  const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('live-changes');
  /** Until when everything was heard, here or by the leader. */
  let heardAt = shownSince;
  const take = (message: Message) => {
    if (message.type !== 'lost') heardAt = Date.now();
    if (message.type === 'change') handlers.changed(message.change);
    if (message.type === 'refresh') handlers.refresh();
    handlers.live(message.type !== 'lost');
  };
  const tell = (message: Message) => {
    tabs?.postMessage(message);
    take(message);
  };
  if (tabs) tabs.onmessage = ({ data }: MessageEvent<Message>) => data.account === account && take(data);
  signal.addEventListener('abort', () => tabs?.close());
  lead('live-changes', signal, (leading) => {
    keepEventStream(['change', 'refresh', 'heartbeat'], leading, {
      url: () => `/api/events?age=${Math.max(0, Date.now() - heardAt)}`,
      // What was missed comes as the first events; from here on all is heard.
      opened: () => tell({ account, type: 'alive' }),
      event: (name, data) => {
        const change = name === 'change' ? readChange(data) : null;
        if (change) tell({ account, type: 'change', change });
        else tell({ account, type: name === 'refresh' ? 'refresh' : 'alive' });
      },
      lost: () => {
        tell({ account, type: 'lost' });
        handlers.lost();
      },
    });
  });
}
