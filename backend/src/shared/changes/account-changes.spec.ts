import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { EventStream, EventStreams } from '../http/index.js';
import { AccountChanges, ChangePauses } from './account-changes.service.js';

interface SentEvent {
  name: string | undefined;
  at: number;
  event: object;
}

describe('streams of account changes', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const changesOf = () =>
    new AccountChanges(new ChangePauses(), { recheck: () => undefined } as unknown as EventStreams);
  function open(changes: AccountChanges, id: string, isAdmin = false, ageMs?: number) {
    const told: SentEvent[] = [];
    const gone = new AbortController();
    const stream = {
      user: { id, isAdmin },
      ended: gone.signal,
      send: (event: object, name?: string) => void told.push({ name, at: Date.now(), event }),
    };
    changes.follow(stream as unknown as EventStream, ageMs);
    return { told, leave: () => gone.abort() };
  }

  it('get `refresh` after missed changes, each once, spread over ten seconds', async () => {
    const changes = changesOf();
    const streams = Array.from({ length: 1_000 }, (_, i) => open(changes, `account ${i % 300}`));
    const left = open(changes, 'left');
    const started = Date.now();
    changes.resume();
    changes.receive('*');
    left.leave();
    await jest.advanceTimersByTimeAsync(10_000);
    const at = streams.map(({ told }) => told.map((one) => one.at - started));
    expect(at.every((times) => times.length === 1)).toBe(true);
    const perSecond = Array.from(
      { length: 10 },
      (_, second) => at.flat().filter((ms) => Math.floor(ms / 1_000) === second).length,
    );
    expect(Math.max(...perSecond)).toBeLessThan(200);
    expect(left.told).toEqual([]);
  });

  it('notify admins at once of a change, and then every ten seconds', async () => {
    const changes = changesOf();
    const { told } = open(changes, 'admin', true);
    const started = Date.now();
    for (let i = 0; i < 250; i++) {
      changes.receive(`account-${i} send -`);
      await jest.advanceTimersByTimeAsync(100);
    }
    expect(told.map(({ at }) => Math.round((at - started) / 1_000))).toEqual([0, 10, 20]);
  });

  it('name to admins the kinds of what changed, and mail accounts by their id', async () => {
    const changes = changesOf();
    const { told } = open(changes, 'admin', true);
    changes.receive('account-1 contacts 5');
    changes.receive('account-2 contacts 6');
    changes.receive('account-2 send 7');
    changes.receive('- mail-account 8');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(told.map(({ event }) => event)).toEqual([
      { kind: 'admin', ids: ['contacts', 'send', 'mail-account'] },
      { kind: 'mail-account', ids: ['8'] },
    ]);
  });

  it('send no refresh to an admin who connects first, and report later what admins see that changed meanwhile', async () => {
    const changes = changesOf();
    changes.resume();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(open(changes, 'admin', true, 200).told).toEqual([]);
    changes.receive('account-1 send 5');
    changes.receive('- contacts 7');
    const { told } = open(changes, 'admin', true, 200);
    expect(told.map(({ name, event }) => [name, event])).toEqual([
      ['change', { kind: 'admin', ids: ['send', 'contacts'] }],
      ['change', { kind: 'contacts' }],
    ]);
    expect(open(changes, 'another', false, 200).told).toEqual([]);
  });
});
