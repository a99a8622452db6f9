import { describe, expect, it } from '@jest/globals';
import type { BacklogSlice } from './delivery-backlogs.service.js';
import { DeliveryTuning } from '../../delivery-tuning.js';
import { AttachmentsUnavailable } from '../../message/attachment-encoder.service.js';
import { BacklogDispatcher } from './backlog-dispatcher.service.js';
import { until } from '../../../../../test/kit/until.js';

describe('positions of a backlog whose mail belongs to another provider now', () => {
  it('are added to its backlog once, when their slice is done, however often it is tried', async () => {
    const added: number[] = [];
    let done = 0;
    const results = [
      () => Promise.reject(new AttachmentsUnavailable()),
      () => Promise.resolve({ parked: [], undecidedFrom: 3 }),
      () => Promise.resolve({ parked: [], undecidedFrom: Infinity }),
    ];
    const dispatcher = new BacklogDispatcher(
      {
        lease: () => Promise.resolve([{ sendId: 'a', userId: 'a', waiting: 4 - done }]),
        next: () => Promise.resolve({ partId: 'a', taken: done, positions: [1, 2, 3, 4].slice(done) }),
        add: (_sendId: string, positions: ReadonlyMap<string, number[]>) =>
          Promise.resolve(void added.push(...positions.get('moved.example')!)),
        served: (_sendId: string, _provider: string, _slice: BacklogSlice, count: number) =>
          Promise.resolve((done += count) === 4),
        postpone: () => Promise.resolve(),
        release: () => Promise.resolve(),
        removeEmpty: () => Promise.resolve(),
      } as never,
      { hold: () => () => undefined } as never,
      {
        providerOf: (name: string) => name,
        isCutSince: () => false,
        accountInUse: 'account',
        reserveFor: (_provider: string, granted: number) =>
          Promise.resolve({ granted, startsInMs: 0, intervalMs: 0, retryInMs: 0 }),
      } as never,
      {
        peekAt: (_sendId: string, positions: number[]) =>
          Promise.resolve(
            positions.map((position) => ({
              position,
              domain: position % 2 === 0 ? 'moved.example' : 'google',
              provider: '',
            })),
          ),
      } as never,
      { load: (sendId: string) => Promise.resolve({ id: sendId }) } as never,
      { isInTrouble: false, deliver: () => results.shift()!() } as never,
      { largest: Infinity, heldForMs: () => 0 } as never,
      { heldForMs: () => 0 } as never,
      { announceDue: () => Promise.resolve(true) } as never,
      {} as never,
      new DeliveryTuning(),
    );
    const addedAfter: number[][] = [];
    while (results.length > 0) {
      await dispatcher.serve('google');
      addedAfter.push([...added]);
    }
    expect(addedAfter).toEqual([[], [2], [2, 4]]);
    expect(done).toBe(4);
  });
});

describe('a connection that becomes free', () => {
  it('wakes every backlog that its provider serves, under whatever name it is stored', async () => {
    const leased: string[] = [];
    let room: (provider: string) => void = () => undefined;
    let isOver = false;
    const names = ['google', 'gmail.com', 'yahoo'];
    const dispatcher: BacklogDispatcher = new BacklogDispatcher(
      {
        providers: () => Promise.resolve({ waiting: names, due: isOver ? [] : names }),
        lease: (name: string) => {
          leased.push(name);
          return Promise.resolve([{ sendId: name, userId: name, waiting: 1 }]);
        },
        release: () => Promise.resolve(),
      } as never,
      { hold: () => () => undefined } as never,
      {
        providerOf: (name: string) => (name === 'gmail.com' ? 'google' : name),
        setBacklogged: () => undefined,
        onRoom: (listener: typeof room) => (room = listener),
        reserveFor: () => Promise.resolve({ granted: 0, startsInMs: 0, intervalMs: 0, retryInMs: 60_000 }),
      } as never,
      {} as never,
      {} as never,
      { isInTrouble: false } as never,
      { largest: Infinity, heldForMs: () => 0 } as never,
      { heldForMs: () => 0 } as never,
      {} as never,
      {} as never,
      new DeliveryTuning(),
    );
    dispatcher.onApplicationBootstrap();
    await until(() => leased.length >= names.length);
    // After this turn of the event loop, all loops are asleep, and the next check finds nothing due.
    await new Promise((resolve) => setImmediate(resolve));
    leased.length = 0;
    room('google');
    await until(() => leased.length > 0);
    await new Promise((resolve) => setImmediate(resolve));
    isOver = true;
    await dispatcher.beforeApplicationShutdown();
    expect(leased.sort()).toEqual(['gmail.com', 'google']);
  });
});
