import { Injectable } from '@nestjs/common';
import { type EventStream, EventStreams } from '../http/index.js';
import { readChange, type ChangeKind } from './account-change.js';
import { ChangeFeed } from './change-feed.js';
import { RecentChanges } from './recent-changes.js';

/** Pauses between change events, in milliseconds. Injected so that tests can shorten them. */
@Injectable()
export class ChangePauses {
  account = 1_000;
  /** Minimum pause between events about the default list or the mail accounts, which only admins see. */
  network = 2_000;
  /** Longer for `admin` events: admins receive the changes of all accounts, and their screens are expensive to load. */
  admin = 10_000;
  /**
   * Period over which `refresh` events are spread after missed notifications, so that open screens do not all reload at
   * once.
   */
  refresh = 10_000;
}

interface Account {
  streams: Set<EventStream>;
  feed: ChangeFeed;
}

/** Allowance for network time: a client computes the age of its data before it sends the request. */
const UNDER_WAY_MS = 5_000;
/** Key under which changes that every admin sees are remembered. */
const ADMINS = 'admins';

/**
 * Forwards account changes to the open event streams of this process. Knows only kind and id of a change, and never
 * queries the database.
 */
@Injectable()
export class AccountChanges {
  private readonly accounts = new Map<string, Account>();
  private readonly admins = new Set<EventStream>();
  /** Streams that will get a `refresh` event. */
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

  /** Ids of the accounts with an open stream. */
  get followed(): string[] {
    return [...this.accounts.keys()];
  }

  isFollowed(accountId: string): boolean {
    return this.accounts.has(accountId);
  }

  /** Registers a callback that runs when a stream is opened, and for every change of an account with an open stream. */
  watch(watcher: (accountId: string, kind: ChangeKind | 'opened') => void): void {
    this.watchers.push(watcher);
  }

  /**
   * Subscribes a stream to its account's changes and repeats the changes of the last `ageMs` milliseconds. Sends
   * `refresh` if these are unknown.
   * @param ageMs age of the oldest data on the screen; undefined if the screen shows nothing yet
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

  /**
   * Passes a change on to the streams. Code that changes rows need not call this, because a database trigger reports
   * their changes.
   */
  note(accountId: string, kind: ChangeKind, id: string | null): void {
    this.recent.note(accountId, kind, id);
    const account = this.accounts.get(accountId);
    if (!account) return;
    account.feed.note(kind, id);
    for (const watcher of this.watchers) watcher(accountId, kind);
  }

  /** Handles a PostgreSQL notification. The payload `*` means that anything may have changed. */
  receive(payload: string): void {
    if (payload === '*') return this.refreshAll();
    const change = readChange(payload);
    if (!change) return;
    const { accountId, kind } = change;
    if (accountId && (kind === 'session' || kind === 'me')) this.streams.recheck(accountId);
    if (accountId) this.note(accountId, kind, change.id);
    this.recent.note(ADMINS, 'admin', kind);
    // The default list and the mail accounts have no owner, so only admins see their changes.
    if (accountId === null) this.recent.note(ADMINS, kind, null);
    if (this.admins.size > 0) this.notifyAdmins(accountId, kind, change.id);
  }

  /** Called once PostgreSQL notifications are received. Earlier ones were missed, so every stream gets `refresh`. */
  resume(): void {
    this.listening = true;
    this.refreshAll();
  }

  /** Called when PostgreSQL notifications are no longer received. */
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
