import { type BeforeApplicationShutdown, Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Request, Response } from 'express';
import { AppError } from '../../errors/app-error.js';
import { Authenticator, type RequestUser } from '../requests/request-user.js';

/** Limits of the streams of one process. Injected so that tests can shorten them. */
@Injectable()
export class EventStreamLimits {
  /** Concurrent streams per account. */
  perUser = 5;
  /** Interval of heartbeats and of the session check, which is one statement for all streams. */
  heartbeatMs = 15_000;
  /** Delay before sessions reported as changed are checked, to combine several checks. */
  recheckMs = 100;
  /** Maximum age of a stream; the browser then opens a new one. */
  maxAgeMs = 45 * 60_000;
  /** Unsent bytes after which a slow client is disconnected. */
  maxBehind = 256 * 1024;
}

export const tooManyStreams = (limit: number): AppError =>
  new AppError(
    'too_many_streams',
    429,
    `You already have ${limit} live views open. Please close another tab or window.`,
    { headers: { 'Retry-After': '15' } },
  );

/** Ms that a replaced stream's last event may take. */
const REPLACED_MS = 5_000;

/** A server-sent event stream to one browser. */
export class EventStream {
  private readonly ending = new AbortController();
  private isSeen = false;

  constructor(
    readonly user: RequestUser,
    private readonly res: Response,
    private readonly maxBehind: number,
    /** Whether its client reconnects and asks for what it missed, so that the stream may be ended for a newer one. */
    readonly isReplaceable: boolean,
  ) {}

  /** Aborts when the stream has ended, by either side. */
  get ended(): AbortSignal {
    return this.ending.signal;
  }

  /** Sends an event; without `name` its type is `message`. */
  send(data: unknown, name?: string): void {
    this.write(`${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`);
  }

  /**
   * Prepares the stream for a browser: heartbeats become events that scripts can see, and the browser reconnects after
   * `retryMs` milliseconds.
   */
  forBrowser(retryMs: number): void {
    this.isSeen = true;
    this.write(`retry: ${retryMs}\n\n`);
  }

  /** Sends a heartbeat: a comment, which browser scripts cannot see, or an event. */
  heartbeat(): void {
    this.write(this.isSeen ? ': still here\nevent: heartbeat\ndata: {}\n\n' : ': still here\n\n');
  }

  end(): void {
    if (this.ended.aborted) return;
    this.ending.abort();
    this.res.end();
  }

  /** Ends the stream with its connection. A peer that is gone would otherwise hold it until TCP gives up. */
  cut(): void {
    if (this.ended.aborted) return;
    this.ending.abort();
    this.res.destroy();
  }

  /**
   * Ends the stream for a newer one and tells its client so. A client that reconnected at once would end another one's
   * stream in turn. The connection ends a little later, because its peer may be gone.
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
 * Opens server-sent event streams and ends each one with its session (sign-out, suspension, password change: at the
 * latest at the next heartbeat), after its maximum age, and at shutdown. Limits the number of streams per account.
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
   * @param isReplaceable its client reconnects by itself: the stream may replace an older such stream, and be replaced
   * by a newer one
   * @throws 429 where the account has too many open streams and none may be ended
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
    // The client may have disconnected during the guards' queries. Ends asynchronously, so that subscribers can
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

  /** Schedules a session check for the account's streams. */
  recheck(userId: string): void {
    if (!this.open.has(userId)) return;
    this.usersToRecheck.add(userId);
    this.recheckTimer ??= setTimeout(() => void this.recheckAll(), this.limits.recheckMs);
  }

  /**
   * A browser that sleeps or changes its network leaves streams that look open for a quarter of an hour. So the oldest
   * one is ended, preferably one of the same session, because a browser has a single stream. A browser whose stream was
   * ended although it is alive reconnects when its user looks at it, or after some minutes.
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
   * Ends streams whose session has ended or whose account changed its rights: the browser reconnects with the current
   * rights. Sessions that cannot be checked (database down) are left to the next heartbeat: streams hold no data, and
   * if all of them ended at once, every browser would reload everything the moment the database is back.
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

  /** Resolved lazily: auth provides it, and shared code may not import a module. */
  private authenticator(): Authenticator {
    return this.modules.get<Authenticator>(Authenticator as unknown as Type<Authenticator>, { strict: false });
  }
}
