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
  /** How often a sign of life is sent and the session looked up. */
  heartbeatMs = 15_000;
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

  constructor(readonly user: RequestUser, private readonly res: Response, private readonly maxBehind: number) {}

  /** Aborted once the stream has ended, by whichever side. */
  get ended(): AbortSignal {
    return this.ending.signal;
  }

  /** Sends an event; `name` is the event's type, `message` without one. */
  send(data: unknown, name?: string): void {
    this.write(`${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`);
  }

  heartbeat(): void {
    this.write(': still here\n\n');
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
 * Opens server-sent event streams. Each ends with its session (signed out, suspended, password changed: at the next heartbeat), after
 * a while, and when this process stops; one account has only a few open.
 */
@Injectable()
export class EventStreams implements BeforeApplicationShutdown {
  private readonly open = new Map<string, Set<EventStream>>();

  constructor(private readonly limits: EventStreamLimits, private readonly modules: ModuleRef) {}

  beforeApplicationShutdown(): void {
    for (const streams of this.open.values()) for (const stream of streams) stream.end();
  }

  /** Answers a request with a stream. @throws 429 where the account has too many open */
  start(user: RequestUser, req: Request, res: Response): EventStream {
    const mine = this.open.get(user.id) ?? new Set();
    if (mine.size >= this.limits.perUser) throw tooManyStreams(this.limits.perUser);
    const stream = new EventStream(user, res, this.limits.maxBehind);
    this.open.set(user.id, mine.add(stream));
    const heartbeat = setInterval(() => void this.check(stream), this.limits.heartbeatMs);
    const age = setTimeout(() => stream.end(), this.limits.maxAgeMs);
    stream.ended.addEventListener('abort', () => {
      clearInterval(heartbeat);
      clearTimeout(age);
      mine.delete(stream);
      if (mine.size === 0) this.open.delete(user.id);
    });
    req.on('close', () => stream.end());
    res.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store, no-transform', Connection: 'keep-alive', 'X-Accel-Buffering': 'no',
    });
    return stream;
  }

  /** A session that cannot be looked up (the database is away) counts as ended: the browser asks again, and is answered then. */
  private async check(stream: EventStream): Promise<void> {
    const isActive = await this.authenticator().isActive(stream.user).catch(() => false);
    if (isActive) stream.heartbeat();
    else stream.end();
  }

  /** Auth provides it; asked for when needed, since the floor may not import a module. */
  private authenticator(): Authenticator {
    return this.modules.get<Authenticator>(Authenticator as unknown as Type<Authenticator>, { strict: false });
  }
}
