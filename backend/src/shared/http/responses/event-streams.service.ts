import { type BeforeApplicationShutdown, Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Request, Response } from 'express';
import { AppError } from '../../errors/app-error.js';
import { Authenticator, type RequestUser } from '../requests/request-user.js';

/** Limits of the event streams of one process. Injected so that tests can shorten them. */
@Injectable()
export class EventStreamLimits {
  /** Maximum number of open streams per account. */
  perUser = 5;
  /** Interval of heartbeats and session checks. One statement checks the sessions of all streams. */
  heartbeatMs = 15_000;
  /**
   * Delay of a session check after a session was reported as changed, so that one statement can check several sessions.
   */
  recheckMs = 100;
  /** Maximum age of a stream. The browser then opens a new one. */
  maxAgeMs = 45 * 60_000;
  /** Number of unsent bytes at which a slow client is disconnected. */
  maxBehind = 256 * 1024;
}

export const tooManyStreams = (limit: number): AppError =>
  new AppError(
    'too_many_streams',
    429,
    `You already have ${limit} live views open. Please close another tab or window.`,
    { headers: { 'Retry-After': '15' } },
  );

/** Milliseconds after which the connection of a replaced stream is destroyed; until then, its last event can arrive. */
const REPLACED_MS = 5_000;

/** A server-sent event stream to one browser. */
export class EventStream {
  private readonly ending = new AbortController();
  private isSeen = false;

  constructor(
    readonly user: RequestUser,
    private readonly res: Response,
    private readonly maxBehind: number,
    /**
     * Whether the client reconnects by itself and asks for the events that it missed. Only such a stream may be closed
     * in favour of a newer one.
     */
    readonly isReplaceable: boolean,
  ) {}

  /** Signal that aborts when either side has ended the stream. */
  get ended(): AbortSignal {
    return this.ending.signal;
  }

  /** Sends an event. Without `name`, its type is `message`. */
  send(data: unknown, name?: string): void {
    this.write(`${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`);
  }

  /**
   * Prepares the stream for a browser: sends heartbeats as events that scripts can see, and sets the browser's
   * reconnect delay.
   * @param retryMs reconnect delay, in milliseconds
   */
  forBrowser(retryMs: number): void {
    this.isSeen = true;
    this.write(`retry: ${retryMs}\n\n`);
  }

  /** Sends a heartbeat: an event for a browser, else a comment, which browser scripts cannot see. */
  heartbeat(): void {
    this.write(this.isSeen ? ': still here\nevent: heartbeat\ndata: {}\n\n' : ': still here\n\n');
  }

  end(): void {
    if (this.ended.aborted) return;
    this.ending.abort();
    this.res.end();
  }

  /**
   * Ends the stream and destroys its connection. Otherwise the connection to an unreachable client would stay open
   * until TCP gives up.
   */
  cut(): void {
    if (this.ended.aborted) return;
    this.ending.abort();
    this.res.destroy();
  }

  /**
   * Ends the stream in favour of a newer one and tells the client so. The client must not reconnect at once, because
   * its new stream would replace another one. Destroys the connection a little later, because the client may be
   * unreachable.
   */
  replace(): void {
    if (this.ended.aborted) return;
    this.send({}, 'replaced');
    this.end();
    setTimeout(() => this.res.destroy(), REPLACED_MS).unref();
  }

  private write(text: string): void {
    if (this.ended.aborted) return;
    this.res.write(text);
    if (this.res.writableLength > this.maxBehind) this.cut();
  }
}

/**
 * Opens server-sent event streams. Ends a stream at its maximum age, at shutdown, and when its session has ended
 * (sign-out, suspension, password change), at the latest at the next heartbeat. Limits the number of streams per
 * account.
 */
@Injectable()
export class EventStreams implements BeforeApplicationShutdown {
  private readonly open = new Map<string, Set<EventStream>>();
  private readonly usersToRecheck = new Set<string>();
  private heartbeatTimer?: NodeJS.Timeout;
  private recheckTimer?: NodeJS.Timeout;

  constructor(
    private readonly limits: EventStreamLimits,
    private readonly modules: ModuleRef,
  ) {}

  beforeApplicationShutdown(): void {
    clearTimeout(this.heartbeatTimer);
    clearTimeout(this.recheckTimer);
    for (const stream of this.all()) stream.end();
  }

  /**
   * Answers a request with a stream.
   * @param isReplaceable whether the client reconnects by itself, so that the stream may replace an older such stream
   * and be replaced by a newer one
   * @throws 429 if the account has too many open streams and none of them may be replaced
   */
  start(user: RequestUser, req: Request, res: Response, isReplaceable = false): EventStream {
    if ((this.open.get(user.id)?.size ?? 0) >= this.limits.perUser) this.makeRoom(user, isReplaceable);
    const mine = this.open.get(user.id) ?? new Set();
    const stream = new EventStream(user, res, this.limits.maxBehind, isReplaceable);
    this.open.set(user.id, mine.add(stream));
    const age = setTimeout(() => stream.end(), this.limits.maxAgeMs).unref();
    stream.ended.addEventListener('abort', () => {
      clearTimeout(age);
      mine.delete(stream);
      if (mine.size === 0 && this.open.get(user.id) === mine) this.open.delete(user.id);
    });
    req.on('close', () => stream.end());
    // The client may have disconnected while the guards ran their queries. Ends asynchronously, so that subscribers can
    // register first.
    if (res.closed || res.destroyed) setImmediate(() => stream.end());
    res.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      Connection: 'keep-alive',
      'X-Accel-Buffering': 'no',
    });
    this.heartbeatTimer ??= setTimeout(() => void this.sendHeartbeats(), this.limits.heartbeatMs).unref();
    return stream;
  }

  /** Schedules a session check of the account's streams. */
  recheck(userId: string): void {
    if (!this.open.has(userId)) return;
    this.usersToRecheck.add(userId);
    this.recheckTimer ??= setTimeout(() => void this.recheckAll(), this.limits.recheckMs);
  }

  /**
   * Replaces the oldest stream of the account, preferably one of the same session, because a browser has only one
   * stream. Old streams are often dead: a browser that sleeps or changes its network leaves a stream that looks open
   * for a quarter of an hour. A browser that is alive reconnects when its user looks at it, or after some minutes.
   */
  private makeRoom({ id, sessionId }: RequestUser, isReplaceable: boolean): void {
    const older = isReplaceable ? [...(this.open.get(id) ?? [])].filter((stream) => stream.isReplaceable) : [];
    const oldest = older.find(({ user }) => user.sessionId === sessionId) ?? older[0];
    if (!oldest) throw tooManyStreams(this.limits.perUser);
    oldest.replace();
  }

  private all(): EventStream[] {
    return [...this.open.values()].flatMap((streams) => [...streams]);
  }

  private async recheckAll(): Promise<void> {
    this.recheckTimer = undefined;
    const streams = [...this.usersToRecheck].flatMap((id) => [...(this.open.get(id) ?? [])]);
    this.usersToRecheck.clear();
    await this.endClosed(streams);
  }

  private async sendHeartbeats(): Promise<void> {
    for (const stream of await this.endClosed(this.all())) stream.heartbeat();
    this.heartbeatTimer =
      this.open.size > 0 ? setTimeout(() => void this.sendHeartbeats(), this.limits.heartbeatMs).unref() : undefined;
  }

  /**
   * Ends streams whose session has ended, or whose user became or ceased to be an admin, so that the browser reconnects
   * with its current rights. If sessions cannot be checked (database down), keeps all streams until the next heartbeat:
   * streams hold no data, and if all of them ended at once, every browser would reload everything at the moment when
   * the database is back.
   * @returns the remaining streams
   */
  private async endClosed(streams: EventStream[]): Promise<EventStream[]> {
    if (streams.length === 0) return [];
    const active = await this.authenticator()
      .activeSessions(streams.map(({ user }) => user))
      .catch(() => undefined);
    if (!active) return streams.filter(({ ended }) => !ended.aborted);
    return streams.filter((stream) => {
      const isOpen = active.get(stream.user.sessionId)?.isAdmin === stream.user.isAdmin;
      if (!isOpen) stream.end();
      return isOpen;
    });
  }

  /** Resolved lazily, because the auth module provides it and shared code must not import a module. */
  private authenticator(): Authenticator {
    return this.modules.get<Authenticator>(Authenticator as unknown as Type<Authenticator>, { strict: false });
  }
}
