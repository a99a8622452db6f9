import { Injectable } from '@nestjs/common';
import { type EventStream, EventStreams } from '../http/index.js';
import { readChange, type ChangeKind } from './account-change.js';
import { ChangeFeed } from './change-feed.js';
import { RecentChanges } from './recent-changes.js';

/** How far apart events of one kind are, in milliseconds. Injected, so that tests can shorten them. */
@Injectable()
export class ChangePauses {
  account = 1_000;
  /** Admins see every account's changes: theirs come together. */
  admin = 2_000;
}

interface Account {
  streams: Set<EventStream>;
  feed: ChangeFeed;
}

/** An age is counted from before the request was sent; this much may pass until it arrives. */
const UNDER_WAY_MS = 5_000;

/**
 * The open event streams of this process, by account, and what is told to them. Knows nothing of what changed but its kind and id. No
 * statement is made for an event or a stream.
 */
@Injectable()
export class AccountChanges {
  private readonly accounts = new Map<string, Account>();
  private readonly admins = new Set<EventStream>();
  private readonly recent = new RecentChanges();
  private readonly adminFeed: ChangeFeed;
  private readonly watchers: ((accountId: string, kind: ChangeKind | 'opened') => void)[] = [];
  private listening = false;

  constructor(private readonly pauses: ChangePauses, private readonly streams: EventStreams) {
    this.adminFeed = new ChangeFeed((event) => this.send(this.admins, event), () => pauses.admin);
  }

  /** Accounts with an open stream. */
  get followed(): string[] {
    return [...this.accounts.keys()];
  }

  isFollowed(accountId: string): boolean {
    return this.accounts.has(accountId);
  }

  /** Tells of a stream that opens and of the changes of accounts that have one. */
  watch(watcher: (accountId: string, kind: ChangeKind | 'opened') => void): void {
    this.watchers.push(watcher);
  }

  /**
   * Tells a stream of its account's changes from now on, and of those of the last `ageMs`; `refresh` where they are not known.
   * @param ageMs age of the oldest thing on the screen; undefined: nothing is shown yet
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

  /** Tells of a change; whoever makes it in the database need not: a trigger does. */
  note(accountId: string, kind: ChangeKind, id: string | null): void {
    this.recent.note(accountId, kind, id);
    const account = this.accounts.get(accountId);
    if (!account) return;
    account.feed.note(kind, id);
    for (const watcher of this.watchers) watcher(accountId, kind);
  }

  /** Takes a notification of the database; `*`: anything may have changed. */
  heard(payload: string): void {
    if (payload === '*') return this.refreshAll();
    const change = readChange(payload);
    if (!change) return;
    const { accountId, kind } = change;
    if (accountId && (kind === 'session' || kind === 'me')) this.streams.recheck(accountId);
    if (accountId) this.note(accountId, kind, change.id);
    if (this.admins.size > 0) this.noteForAdmins(accountId, kind, change.id);
  }

  /** Notifications are heard from now on; what came before was missed. */
  heardFromNow(): void {
    this.listening = true;
    this.refreshAll();
  }

  /** Notifications are not heard any more. */
  unheard(): void {
    this.listening = false;
  }

  private noteForAdmins(accountId: string | null, kind: ChangeKind, id: string | null): void {
    this.adminFeed.note('admin', null);
    // The network's list has no owner: admins hold it.
    if (accountId === null) this.adminFeed.note(kind, id);
  }

  private open(id: string): Account {
    const streams = new Set<EventStream>();
    const account = { streams, feed: new ChangeFeed((event) => this.send(streams, event), () => this.pauses.account) };
    this.accounts.set(id, account);
    return account;
  }

  private catchUp(stream: EventStream, ageMs: number | undefined): void {
    if (ageMs === undefined) return;
    const missed = this.listening ? this.recent.within(stream.user.id, ageMs + UNDER_WAY_MS) : undefined;
    // What admins oversee is not remembered.
    if (!missed || stream.user.isAdmin) return stream.send({}, 'refresh');
    const byKind = Map.groupBy(missed, ({ kind }) => kind);
    for (const [kind, changes] of byKind) {
      const ids = changes.map(({ id }) => id);
      stream.send(ids.includes(null) ? { kind } : { kind, ids }, 'change');
    }
  }

  private refreshAll(): void {
    this.recent.forget();
    for (const { streams } of this.accounts.values()) for (const stream of streams) stream.send({}, 'refresh');
  }

  private send(streams: Set<EventStream>, event: object): void {
    for (const stream of streams) stream.send(event, 'change');
  }
}
