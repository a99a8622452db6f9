import { describe, expect, it, jest } from '@jest/globals';
import { RecentChanges, REMEMBERED_MS } from './recent-changes.js';

describe('recent changes', () => {
  it('are stored by account for a while', () => {
    const changes = new RecentChanges(0);
    changes.note('ann', 'list', 'one', 1_000);
    changes.note('ann', 'me', null, 2_000);
    changes.note('bob', 'list', 'two', 2_000);
    expect(changes.within('ann', 1_500, 3_000)).toEqual([{ kind: 'me', id: null }]);
    expect(changes.within('ann', 2_500, 3_000)).toEqual([
      { kind: 'list', id: 'one' },
      { kind: 'me', id: null },
    ]);
    expect(changes.within('ann', 3_001, 3_000)).toBeUndefined();
    expect(changes.within('ann', REMEMBERED_MS + 1, REMEMBERED_MS * 3)).toBeUndefined();
  });

  it('cost the same each for any number: expired ones are removed only occasionally', () => {
    const changes = new RecentChanges(0);
    let now = 0;
    // With this step, 50,000 changes last exactly REMEMBERED_MS, so that every further change lets the oldest one
    // expire.
    const step = REMEMBERED_MS / 49_999;
    const note = (n: number) => changes.note(`account ${n % 5_000}`, 'contacts', `${n}`, (now += step));
    for (let n = 0; n < 50_000; n++) note(n);
    const scans = jest.spyOn(changes as unknown as { prune: (now: number) => void }, 'prune');
    for (let n = 50_000; n < 100_000; n++) note(n);
    expect(scans.mock.calls.length).toBeGreaterThan(0);
    expect(scans.mock.calls.length).toBeLessThanOrEqual(10);
  });

  it('are all discarded where there are too many, and callers learn of it', () => {
    const changes = new RecentChanges(0);
    for (let n = 0; n <= 50_000; n++) changes.note('busy', 'contacts', `${n}`, 1_000 + n / 1_000);
    expect(changes.within('busy', 900, 1_060)).toBeUndefined();
    expect(changes.within('busy', 5, 1_060)).toEqual([]);
  });
});
