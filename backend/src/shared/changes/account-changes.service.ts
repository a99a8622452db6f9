import { Injectable } from '@nestjs/common';
import { type EventStream, EventStreams } from '../http/index.js';
import { readChange, type ChangeKind } from './account-change.js';
import { ChangeFeed } from './change-feed.js';
import { RecentChanges } from './recent-changes.js';

/** Minimum time between events of one kind, in milliseconds. Injected so that tests can shorten it. */
@Injectable()
export class ChangePauses {
  account = 1_000;
  /** For the default list and the mail accounts, which only admins see. */
  network = 2_000;
  /** Longer for admins, who receive the changes of all accounts and whose screens are expensive. */
  admin = 10_000;
  /** Spread of refreshes after missed notifications, so that open screens do not all reload at once. */
  refresh = 10_000;
}

interface Account {
  streams: Set<EventStream>;
  feed: ChangeFeed;
}

/** Allowance for network time: a client computes its age before it sends the request. */
const UNDER_WAY_MS = 5_000;
/** Under this id the changes are remembered that all admins see. */
const ADMINS = 'admins';

/**
 * Fans out account changes to the open event streams of this process. Knows only kind and id of a change, and never
 * queries the database.
 */
@Injectable()
export class AccountChanges {
  private readonly accounts = new Map<string, Account>();
  private readonly admins = new Set<EventStream>();
  /** Streams scheduled for a refresh. */
  private readonly refreshing = new Set<EventStream>();
  private readonly recent = new RecentChanges();
  private readonly adminFeed: ChangeFeed;
  private readonly watchers: ((accountId: string, kind: ChangeKind | 'opened') => void)[] = [];
  private listening = false;

  constructor(
    private readonly pauses: ChangePauses,
    private readonly streams: EventStreams,
  ) {
    this.adminFeed = new ChangeFeed(
      (event) => this.send(this.admins, event),
      (kind) => (kind === 'admin' ? pauses.admin : pauses.network),
    );
  }

  /** Ids of accounts with an open stream. */
  get followed(): string[] {
    return [...this.accounts.keys()];
  }

  isFollowed(accountId: string): boolean {
    return this.accounts.has(accountId);
  }

  /** Registers a callback for opened streams and for changes of accounts that have a stream. */
  watch(watcher: (accountId: string, kind: ChangeKind | 'opened') => void): void {
    this.watchers.push(watcher);
  }

  /**
   * Subscribes a stream to its account's changes and replays those of the last `ageMs` milliseconds; sends `refresh`
   * where they are unknown.
   * @param ageMs age of the oldest data on the screen; undefined: nothing is shown yet
   */
  follow(stream: EventStream, ageMs: number | undefined): void {
    const { id, isAdmin } = stream.user;
    const account = this.accounts.get(id) ?? this.open(id);
    account.streams.add(stream);
    if (isAdmin) this.admins.add(stream);
    stream.ended.addEventListener('abort', () => {
      account.streams.delete(stream);
      this.admins.delete(stream);
      if (account.streams.size > 0 || this.accounts.get(id) !== account) return;
      account.feed.end();
      this.accounts.delete(id);
    });
    this.catchUp(stream, ageMs);
    for (const watcher of this.watchers) watcher(id, 'opened');
  }

  /** Reports a change. Code that changes rows need not call it: a database trigger does. */
  note(accountId: string, kind: ChangeKind, id: string | null): void {
    this.recent.note(accountId, kind, id);
    const account = this.accounts.get(accountId);
    if (!account) return;
    account.feed.note(kind, id);
    for (const watcher of this.watchers) watcher(accountId, kind);
  }

  /** Handles a database notification; the payload `*` means that anything may have changed. */
  receive(payload: string): void {
    if (payload === '*') return this.refreshAll();
    const change = readChange(payload);
    if (!change) return;
    const { accountId, kind } = change;
    if (accountId && (kind === 'session' || kind === 'me')) this.streams.recheck(accountId);
    if (accountId) this.note(accountId, kind, change.id);
    this.recent.note(ADMINS, 'admin', kind);
    // The default list and the mail accounts have no owner: only admins see their changes.
    if (accountId === null) this.recent.note(ADMINS, kind, null);
    if (this.admins.size > 0) this.notifyAdmins(accountId, kind, change.id);
  }

  /** Marks notifications as received from now on; earlier ones were missed. */
  resume(): void {
    this.listening = true;
    this.refreshAll();
  }

  /** Marks notifications as no longer received. */
  suspend(): void {
    this.listening = false;
  }

  private notifyAdmins(accountId: string | null, kind: ChangeKind, id: string | null): void {
    this.adminFeed.note('admin', kind);
    if (accountId === null) this.adminFeed.note(kind, id);
  }

  private open(id: string): Account {
    const streams = new Set<EventStream>();
    const account = {
      streams,
      feed: new ChangeFeed(
        (event) => this.send(streams, event),
        () => this.pauses.account,
      ),
    };
    this.accounts.set(id, account);
    return account;
  }

  private catchUp(stream: EventStream, ageMs: number | undefined): void {
    if (ageMs === undefined) return;
    const { id, isAdmin } = stream.user;
    const since = ageMs + UNDER_WAY_MS;
    const missed = this.listening ? this.recent.within(id, since) : undefined;
    if (!missed) return stream.send({}, 'refresh');
    if (isAdmin) missed.push(...(this.recent.within(ADMINS, since) ?? []));
    const byKind = Map.groupBy(missed, ({ kind }) => kind);
    for (const [kind, changes] of byKind) {
      const ids = changes.map(({ id }) => id);
      stream.send(ids.includes(null) ? { kind } : { kind, ids }, 'change');
    }
  }

  private refreshAll(): void {
    this.recent.forget();
    for (const { streams } of this.accounts.values()) for (const stream of streams) this.refreshLater(stream);
  }

  private refreshLater(stream: EventStream): void {
    if (this.refreshing.has(stream)) return;
    this.refreshing.add(stream);
    setTimeout(() => {
      this.refreshing.delete(stream);
      if (!stream.ended.aborted) stream.send({}, 'refresh');
    }, Math.random() * this.pauses.refresh).unref();
  }

  private send(streams: Set<EventStream>, event: object): void {
    for (const stream of streams) stream.send(event, 'change');
  }
}
