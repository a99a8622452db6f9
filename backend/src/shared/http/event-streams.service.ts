import { type BeforeApplicationShutdown, Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Request, Response } from 'express';
import { AppError } from '../errors/app-error.js';
import { Authenticator } from './authenticator.js';
import type { RequestUser } from './request-user.js';

/** Bounds of the streams that one process serves. Injected, so that tests can shorten them. */
@Injectable()
export class EventStreamLimits {
  /** Open at once by one account. */
  perUser = 5;
  /** How often a sign of life is sent and the sessions are looked up, all with one statement. */
  heartbeatMs = 15_000;
  /** A session that is said to have changed is looked up after this, with others that are. */
  recheckMs = 100;
  /** A stream ends after this; the browser opens the next one. */
  maxAgeMs = 45 * 60_000;
  /** Bytes that a client may be behind before it is cut off. */
  maxBehind = 256 * 1024;
}

export const tooManyStreams = (limit: number): AppError =>
  new AppError('too_many_streams', 429, `You already have ${limit} live views open. Please close another tab or window.`, { headers: { 'Retry-After': '15' } });

/** A server-sent event stream to one browser. */
export class EventStream {
  private readonly ending = new AbortController();
  private isSeen = false;

  constructor(readonly user: RequestUser, private readonly res: Response, private readonly maxBehind: number) {}

  /** Aborted once the stream has ended, by whichever side. */
  get ended(): AbortSignal {
    return this.ending.signal;
  }

  /** Sends an event; `name` is the event's type, `message` without one. */
  send(data: unknown, name?: string): void {
    this.write(`${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`);
  }

  /** For a browser that follows for long: its scripts see the signs of life, and a broken stream is opened again by itself after this. */
  forBrowser(retryMs: number): void {
    this.isSeen = true;
    this.write(`retry: ${retryMs}\n\n`);
  }

  /** A sign of life: a comment, which scripts in a browser cannot see, or an event. */
  heartbeat(): void {
    this.write(this.isSeen ? ': still here\nevent: heartbeat\ndata: {}\n\n' : ': still here\n\n');
  }

  end(): void {
    if (this.ended.aborted) return;
    this.ending.abort();
    this.res.end();
  }

  private write(text: string): void {
    if (this.ended.aborted) return;
    this.res.write(text);
    if (this.res.writableLength > this.maxBehind) this.end();
  }
}

/**
 * Opens server-sent event streams. Each ends with its session (signed out, suspended, password changed: as soon as this process hears of
 * it, at the latest at the next heartbeat), after a while, and when this process stops; one account has only a few open.
 */
@Injectable()
export class EventStreams implements BeforeApplicationShutdown {
  private readonly open = new Map<string, Set<EventStream>>();
  private readonly suspects = new Set<string>();
  private beat?: NodeJS.Timeout;
  private recheckTimer?: NodeJS.Timeout;

  constructor(private readonly limits: EventStreamLimits, private readonly modules: ModuleRef) {}

  beforeApplicationShutdown(): void {
    clearTimeout(this.beat);
    clearTimeout(this.recheckTimer);
    for (const stream of this.all()) stream.end();
  }

  /** Answers a request with a stream. @throws 429 where the account has too many open */
  start(user: RequestUser, req: Request, res: Response): EventStream {
    const mine = this.open.get(user.id) ?? new Set();
    if (mine.size >= this.limits.perUser) throw tooManyStreams(this.limits.perUser);
    const stream = new EventStream(user, res, this.limits.maxBehind);
    this.open.set(user.id, mine.add(stream));
    const age = setTimeout(() => stream.end(), this.limits.maxAgeMs).unref();
    stream.ended.addEventListener('abort', () => {
      clearTimeout(age);
      mine.delete(stream);
      if (mine.size === 0 && this.open.get(user.id) === mine) this.open.delete(user.id);
    });
    req.on('close', () => stream.end());
    // Who left while the guards asked the database has closed already. Not at once: whoever follows the stream wants to hear of its end.
    if (res.closed || res.destroyed) setImmediate(() => stream.end());
    res.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store, no-transform', Connection: 'keep-alive', 'X-Accel-Buffering': 'no',
    });
    this.beat ??= setTimeout(() => void this.beatAll(), this.limits.heartbeatMs).unref();
    return stream;
  }

  /** Sessions of this account may have ended: its streams are looked at soon, together with those of others. */
  recheck(userId: string): void {
    if (!this.open.has(userId)) return;
    this.suspects.add(userId);
    this.recheckTimer ??= setTimeout(() => void this.recheckAll(), this.limits.recheckMs);
  }

  private all(): EventStream[] {
    return [...this.open.values()].flatMap((streams) => [...streams]);
  }

  private async recheckAll(): Promise<void> {
    this.recheckTimer = undefined;
    const streams = [...this.suspects].flatMap((id) => [...(this.open.get(id) ?? [])]);
    this.suspects.clear();
    await this.endClosed(streams);
  }

  private async beatAll(): Promise<void> {
    for (const stream of await this.endClosed(this.all())) stream.heartbeat();
    this.beat = this.open.size > 0 ? setTimeout(() => void this.beatAll(), this.limits.heartbeatMs).unref() : undefined;
  }

  /**
   * Ends the streams whose session has ended, or whose account gained or lost rights: the browser opens the next one with what it may see
   * now. Sessions that cannot be looked up (the database is away) count as ended: the browser asks again, and is answered then.
   * @returns the others
   */
  private async endClosed(streams: EventStream[]): Promise<EventStream[]> {
    if (streams.length === 0) return [];
    const active = await this.authenticator().activeSessions(streams.map(({ user }) => user)).catch(() => new Map<string, { isAdmin: boolean }>());
    return streams.filter((stream) => {
      const isOpen = active.get(stream.user.sessionId)?.isAdmin === stream.user.isAdmin;
      if (!isOpen) stream.end();
      return isOpen;
    });
  }

  /** Auth provides it; asked for when needed, since the floor may not import a module. */
  private authenticator(): Authenticator {
    return this.modules.get<Authenticator>(Authenticator as unknown as Type<Authenticator>, { strict: false });
  }
}
