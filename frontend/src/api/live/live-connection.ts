import { readChange, type Change } from './changes';
import { openEventStream, type EventStreamHandle } from './event-stream';
import { electLeader } from './leader';

/** Messages between the tabs of one browser. */
export type TabMessage = { account: string } & (
  | { type: 'change'; change: Change }
  /** State of the leader's stream: open; open, but changes may have been missed; broken. */
  | { type: 'alive' | 'refresh' | 'lost' }
  /** A tab became visible or is online again. The leader's stream may have broken during a sleep. */
  | { type: 'wake' }
  /** A tab asks the leader for the changes it missed. */
  | { type: 'ask'; from: string; since: number }
  /** The leader's answer. `missed` is null if the leader no longer has all of the changes. */
  | { type: 'answer'; to: string; isLive: boolean; missed: Change[] | null }
);

export interface LiveHandlers {
  /** Called for each change. */
  changed: (change: Change) => void;
  /**
   * Changes may have been missed. `isCommon`: by other browsers too, so that the requests should be spread over time.
   */
  refresh: (isCommon: boolean) => void;
  /** Called when the tab starts or stops receiving changes. */
  live: (isLive: boolean) => void;
  /** Called after the leader's stream broke and the first attempt to reopen it ended: the session may have ended. */
  lost: () => void;
}

/**
 * The server sends a heartbeat every 15 s. A tab that got nothing from the leader for the time of three heartbeats asks
 * whether the leader is alive.
 */
export const MAX_SILENCE_MS = 45_000;
/** Random extra time, so that tabs do not all ask at once. */
export const MAX_JITTER_MS = 10_000;
/** A leader that does not answer within this time is replaced. */
export const LEADER_TIMEOUT_MS = 5_000;
/** Number of changes that a leader remembers for tabs that join. */
const MAX_REMEMBERED_CHANGES = 200;
/** Longer than the server remembers changes, so that the server answers that anything may have changed. */
const ANY_AGE_MS = 24 * 60 * 60_000;

/**
 * Receives the changes of an account until `signal` aborts. One tab of the browser, the leader, holds the stream and
 * forwards changes to the others. A tab that joins asks the leader for the changes since its oldest data, and a tab
 * that receives nothing for long takes over.
 * @param shownSince when the oldest data on the screen was requested (Date.now())
 */
export function followAccount(account: string, shownSince: number, signal: AbortSignal, handlers: LiveHandlers): void {
  const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('live-changes');
  const ownTabId = Math.random().toString(36).slice(2);
  /** All changes up to this time were received. Does not advance while this tab waits for the leader's answer. */
  let receivedUntil = shownSince;
  let isAsking = false;
  let leader:
    | { isLive: boolean; since: number; changes: { at: number; change: Change }[]; stream?: EventStreamHandle }
    | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;

  const post = (message: TabMessage) => tabs?.postMessage(message);
  const watch = (afterMs: number, next: () => void) => {
    clearTimeout(watchdog);
    if (tabs && !leader && !signal.aborted) watchdog = setTimeout(next, afterMs);
  };
  const watchSilence = () => watch(MAX_SILENCE_MS + Math.random() * MAX_JITTER_MS, ask);
  function ask() {
    isAsking = true;
    post({ account, type: 'ask', from: ownTabId, since: receivedUntil });
    watch(LEADER_TIMEOUT_MS, () => {
      takeOver();
      watchSilence();
    });
  }
  const answer = (to: string, since: number) => {
    if (!leader) return;
    // A time in the future was taken before the clock was set back.
    const missed =
      since < leader.since || since > Date.now()
        ? null
        : leader.changes.filter(({ at }) => at >= since).map(({ change }) => change);
    post({ account, type: 'answer', to, isLive: leader.isLive, missed });
  };
  const receive = (message: TabMessage) => {
    if (message.type === 'wake') return leader?.stream?.wake();
    if (message.type === 'ask') return answer(message.from, message.since);
    if (message.type === 'answer') {
      if (message.to !== ownTabId) return;
      isAsking = false;
    }
    const isLive = message.type === 'answer' ? message.isLive : message.type !== 'lost';
    // This leader started after the question was sent, so the question is repeated.
    if (isAsking) ask();
    else watchSilence();
    if (isLive && !isAsking) receivedUntil = Date.now();
    if (message.type === 'change') handlers.changed(message.change);
    if (message.type === 'answer') message.missed?.forEach(handlers.changed);
    if (message.type === 'refresh') handlers.refresh(true);
    if (message.type === 'answer' && message.missed === null) handlers.refresh(false);
    handlers.live(isLive);
  };
  /** Sends a message of the leader to all tabs, including its own. */
  const broadcast = (message: TabMessage) => {
    post(message);
    receive(message);
  };
  const wake = () => {
    if (leader) return;
    post({ account, type: 'wake' });
    if (Math.abs(Date.now() - receivedUntil) > MAX_SILENCE_MS) ask();
  };
  const onVisibilityChange = () => document.visibilityState === 'visible' && wake();

  if (tabs) tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => data.account === account && receive(data);
  document.addEventListener('visibilitychange', onVisibilityChange);
  globalThis.addEventListener('online', wake);
  signal.addEventListener('abort', () => {
    clearTimeout(watchdog);
    document.removeEventListener('visibilitychange', onVisibilityChange);
    globalThis.removeEventListener('online', wake);
    tabs?.close();
  });

  const { takeOver } = electLeader('live-changes', signal, (leading) => {
    const now: NonNullable<typeof leader> = { isLive: false, since: receivedUntil, changes: [] };
    leader = now;
    isAsking = false;
    clearTimeout(watchdog);
    leading.addEventListener('abort', () => {
      leader = undefined;
      watchSilence();
    });
    now.stream = openEventStream(['change', 'refresh', 'heartbeat'], leading, {
      url: () => `/api/events?age=${receivedUntil > Date.now() ? ANY_AGE_MS : Date.now() - receivedUntil}`,
      // The server first sends the missed changes, so from now on none is missed.
      opened: () => {
        now.isLive = true;
        broadcast({ account, type: 'alive' });
      },
      event: (name, data) => {
        const change = name === 'change' ? readChange(data) : null;
        if (change) {
          now.changes.push({ at: Date.now(), change });
          if (now.changes.length > MAX_REMEMBERED_CHANGES) now.since = now.changes.shift()!.at + 1;
          return broadcast({ account, type: 'change', change });
        }
        if (name === 'refresh') Object.assign(now, { since: Date.now(), changes: [] });
        broadcast({ account, type: name === 'refresh' ? 'refresh' : 'alive' });
      },
      lost: () => {
        now.isLive = false;
        broadcast({ account, type: 'lost' });
      },
      // Called for the first attempt after an outage and not when the outage begins: otherwise all browsers would call
      // the server while it is being stopped.
      retried: handlers.lost,
    });
  });
  // Another tab leads, and knows what changed since this tab's first answers.
  if (!leader) ask();
}
