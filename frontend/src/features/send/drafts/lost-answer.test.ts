import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { parts, saved, settle, stand } from '../../../../test/draft-saver-kit';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('a save whose answer was lost', () => {
  const other = { version: 2, updatedAt: '2026-01-05T10:42:00.000Z', device: 'Chrome, Linux' };
  /** A save of 'one' on version 1 fails temporarily, and the retry finds that the draft was changed. */
  const lose = async (retried = 'one') => {
    const stood = stand({ id: 'd1', version: 1 });
    stood.saver.change(parts('one'), true);
    void stood.saver.flush();
    stood.asked[0]?.fail({ kind: 'passing' });
    await settle();
    stood.saver.change(parts(retried), true);
    void stood.saver.flush();
    stood.asked[1]?.fail({ kind: 'changed', other });
    await settle();
    return stood;
  };

  it('is not in conflict with itself', async () => {
    const { saver, loads, last, states, safe } = await lose();
    loads[0]?.answer(saved(2), parts('one'));
    await settle();
    expect([last(), saver.version, saver.isUnsaved, safe()]).toEqual(['saved', 2, false, 1]);
    expect(states.map(({ name }) => name)).not.toContain('conflict');
  });

  it('is the version that later changes are based on', async () => {
    const { asked, loads } = await lose('one and more');
    loads[0]?.answer(saved(2), parts('one'));
    await jest.advanceTimersByTimeAsync(1500);
    expect(asked.slice(2).map(({ version, parts: { subject } }) => [version, subject])).toEqual([[2, 'one and more']]);
  });

  it('is a conflict where another text has been stored since', async () => {
    const { saver, asked, loads, last } = await lose();
    loads[0]?.answer(saved(3), parts('theirs'));
    await jest.advanceTimersByTimeAsync(60_000);
    expect([last(), asked.length, saver.isConflicting]).toEqual(['conflict', 2, true]);
  });

  it('is looked up again where the first look-up failed', async () => {
    const { saver, asked, loads, last } = await lose();
    loads[0]?.fail({ kind: 'passing' });
    await settle();
    expect(last()).toBe('failed');
    await jest.advanceTimersByTimeAsync(4000);
    asked[2]?.fail({ kind: 'changed', other });
    await settle();
    loads[1]?.answer(saved(2), parts('one'));
    await settle();
    expect([last(), saver.version]).toEqual(['saved', 2]);
  });

  it('gives its version to a send after the send was refused', async () => {
    const { saver, asked, loads } = stand({ id: 'd1', version: 1 });
    saver.change(parts('one'), true);
    void saver.flush();
    const held = saver.hold();
    asked[0]?.fail({ kind: 'passing' });
    expect(await held).toBe(true);
    const refused = saver.applyError({ kind: 'changed', other });
    loads[0]?.answer(saved(2), parts('one'));
    await refused;
    expect([saver.version, saver.isConflicting]).toEqual([2, false]);
  });
});
