import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ModuleRef } from '@nestjs/core';
import type { Request, Response } from 'express';
import { EventEmitter } from 'node:events';
import type { RequestUser } from '../requests/request-user.js';
import { type EventStream, EventStreamLimits, EventStreams } from './event-streams.service.js';

type Sessions = Map<string, { isAdmin: boolean }>;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function streamsWith(activeSessions: (users: { sessionId: string }[]) => Promise<Sessions>) {
  const streams = new EventStreams(new EventStreamLimits(), {
    get: () => ({ activeSessions }),
  } as unknown as ModuleRef);
  const open = (sessionId: string, id = 'ana', isReplaceable = true) => {
    const sent: string[] = [];
    let isDestroyed = false;
    const res = {
      writeHead: () => undefined,
      write: (text: string) => sent.push(text),
      // An unreachable client reads nothing, so the response never ends by itself.
      end: () => undefined,
      destroy: () => (isDestroyed = true),
      writableLength: 0,
    };
    const stream = streams.start(
      { id, sessionId, isAdmin: false } as RequestUser,
      new EventEmitter() as unknown as Request,
      res as unknown as Response,
      isReplaceable,
    );
    return { stream, sent, isDestroyed: () => isDestroyed };
  };
  return { streams, open };
}

const all = (users: { sessionId: string }[]) =>
  Promise.resolve(new Map(users.map(({ sessionId }) => [sessionId, { isAdmin: false }])));
const stands = ({ stream }: { stream: EventStream }) => !stream.ended.aborted;

describe('a stream beyond the limit of an account', () => {
  it('ends the oldest stream of its own session and says so, and closes that connection though its peer takes nothing', () => {
    const { open } = streamsWith(all);
    const opened = ['office', 'phone', 'laptop', 'laptop', 'tablet'].map((session) => open(session));
    const next = open('laptop');
    expect(opened.map(stands)).toEqual([true, true, false, true, true]);
    expect(opened[2]!.sent.at(-1)).toContain('event: replaced');
    jest.advanceTimersByTime(5_000);
    expect(opened.map((one) => one.isDestroyed())).toEqual([false, false, true, false, false]);
    expect(stands(next)).toBe(true);
  });

  it("ends the account's oldest stream where its session has no other", () => {
    const { open } = streamsWith(all);
    const opened = ['office', 'phone', 'laptop', 'laptop', 'tablet'].map((session) => open(session));
    const other = open('office', 'ben');
    open('another office');
    expect(opened.map(stands)).toEqual([false, true, true, true, true]);
    jest.advanceTimersByTime(5_000);
    expect(opened.map((one) => one.isDestroyed())).toEqual([true, false, false, false, false]);
    expect(stands(other)).toBe(true);
  });
});

describe('a stream whose client does not reconnect by itself', () => {
  it('is refused at the limit instead of ending another', () => {
    const { open } = streamsWith(all);
    const opened = Array.from({ length: 5 }, () => open('office', 'ana', false));
    expect(() => open('office', 'ana', false)).toThrow('You already have 5 live views open');
    expect(() => open('office', 'ana', true)).toThrow('You already have 5 live views open');
    expect(opened.every(stands)).toBe(true);
  });
});

describe('a failed look-up of sessions', () => {
  it('leaves the streams open; the next look-up closes those whose session has ended', async () => {
    let isDown = true;
    const { streams, open } = streamsWith((users) =>
      isDown ? Promise.reject(new Error('the database is away')) : all(users.filter((one) => one.sessionId !== 'over')),
    );
    const [living, over] = [open('living'), open('over')];
    await jest.advanceTimersByTimeAsync(15_000);
    streams.recheck('ana');
    await jest.advanceTimersByTimeAsync(100);
    expect([living, over].map(stands)).toEqual([true, true]);
    isDown = false;
    await jest.advanceTimersByTimeAsync(15_000);
    expect([living, over].map(stands)).toEqual([true, false]);
    living.stream.end();
  });
});
