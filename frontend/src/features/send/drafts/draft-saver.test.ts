import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { parts, saved, settle, stand } from '../../../../test/draft-saver-kit';
import type { DraftSaver } from './draft-saver';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('the saves of a draft', () => {
  it('wait 1.5 s after the last key, and contain the last text', async () => {
    const { saver, asked, last, safe } = stand();
    saver.change(parts('J'), true);
    await jest.advanceTimersByTimeAsync(1000);
    saver.change(parts('Java'), true);
    await jest.advanceTimersByTimeAsync(1499);
    expect(asked).toHaveLength(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(asked.map((one) => one.parts.subject)).toEqual(['Java']);
    asked[0]?.answer(saved(1));
    await settle();
    expect([last(), safe(), saver.isUnsaved]).toEqual(['saved', 1, false]);
  });

  it('create no draft without content', async () => {
    const { saver, asked } = stand();
    saver.change(parts(''), false);
    void saver.flush();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(0);
  });

  it('are made one at a time: later changes go with the next one, on the version that the first returned', async () => {
    const { saver, asked, safe } = stand({ id: 'd1', version: 4 });
    saver.change(parts('one'), true);
    void saver.flush();
    await settle();
    saver.change(parts('two'), true);
    void saver.flush();
    await settle();
    expect(asked).toHaveLength(1);
    asked[0]?.answer(saved(5));
    await settle();
    expect(safe()).toBe(0);
    await jest.advanceTimersByTimeAsync(1500);
    expect(asked.map(({ version, parts: { subject } }) => [version, subject])).toEqual([
      [4, 'one'],
      [5, 'two'],
    ]);
  });

  it('are retried, with growing pauses, until the server has the text', async () => {
    const { saver, asked, last } = stand({ id: 'd1', version: 1 });
    saver.change(parts('one'), true);
    void saver.flush();
    for (const wait of [2000, 4000, 8000]) {
      asked.at(-1)?.fail({ kind: 'passing' });
      await settle();
      expect(last()).toBe('failed');
      await jest.advanceTimersByTimeAsync(wait - 1);
      const before = asked.length;
      await jest.advanceTimersByTimeAsync(1);
      expect(asked).toHaveLength(before + 1);
    }
    asked.at(-1)?.answer(saved(2));
    await settle();
    expect(last()).toBe('saved');
  });

  it('are not retried after the user signed out: the next one would get the text', async () => {
    const { saver, asked, become, safe } = stand();
    saver.change(parts('one'), true);
    void saver.flush();
    asked[0]?.fail({ kind: 'passing' });
    await settle();
    become('ended');
    await jest.advanceTimersByTimeAsync(60_000);
    become('active');
    await jest.advanceTimersByTimeAsync(60_000);
    expect([asked.length, saver.isUnsaved, safe()]).toEqual([1, false, 0]);
  });

  it('end with the save that found the session ended, although the screen was left while it ran', async () => {
    const { saver, asked, become, safe } = stand();
    saver.change(parts('one'), true);
    void saver.flush();
    become('ended');
    void saver.flush();
    asked[0]?.fail({ kind: 'passing' });
    await settle();
    become('active');
    await jest.advanceTimersByTimeAsync(60_000);
    expect([asked.length, saver.isUnsaved, safe()]).toEqual([1, false, 0]);
  });

  it('wait without a call while the user is asked to sign in again, and are made once that is done', async () => {
    const { saver, asked, become, last } = stand({ id: 'd1', version: 1 });
    become('lapsed');
    saver.change(parts('one'), true);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([asked.length, last(), saver.isUnsaved]).toEqual([0, 'failed', true]);
    become('active');
    await jest.advanceTimersByTimeAsync(2000);
    expect(asked.map((one) => one.parts.subject)).toEqual(['one']);
  });

  it('stop at a conflict: nothing is overwritten until the user chooses', async () => {
    const { saver, asked, last } = stand({ id: 'd1', version: 1 });
    const other = { version: 7, updatedAt: '2026-01-05T10:42:00.000Z', device: 'Safari, iPhone' };
    saver.change(parts('mine'), true);
    void saver.flush();
    asked[0]?.fail({ kind: 'changed', other });
    await settle();
    saver.change(parts('mine, and more'), true);
    void saver.flush();
    await jest.advanceTimersByTimeAsync(60_000);
    expect([last(), asked.length]).toEqual(['conflict', 1]);
    void saver.overwriteServerVersion(other);
    await settle();
    expect(asked.slice(1).map(({ version, parts: { subject } }) => [version, subject])).toEqual([
      [7, 'mine, and more'],
    ]);
  });

  it('take over the other version where the user chooses it', async () => {
    const { saver, asked, last } = stand({ id: 'd1', version: 1 });
    saver.change(parts('mine'), true);
    void saver.flush();
    asked[0]?.fail({ kind: 'changed', other: { version: 7, updatedAt: '', device: null } });
    await settle();
    saver.adoptServerVersion(saved(7), parts('theirs'));
    saver.change(parts('theirs'), true);
    expect([last(), saver.isUnsaved, saver.version]).toEqual(['saved', false, 7]);
  });

  it("report another window's change at once where something is unsaved, and nothing where all is saved", () => {
    const { saver, last } = stand({ id: 'd1', version: 1 });
    expect(saver.noteSaveElsewhere({ version: 2, updatedAt: '', device: null })).toBe(false);
    saver.change(parts('mine'), true);
    expect(saver.noteSaveElsewhere({ version: 2, updatedAt: '', device: null })).toBe(true);
    expect(last()).toBe('conflict');
  });

  it("report another window's change where a change has been made here that they have not received yet", () => {
    const { saver, last } = stand({ id: 'd1', version: 1 });
    expect(saver.noteSaveElsewhere({ version: 2, updatedAt: '', device: null }, true)).toBe(true);
    expect(last()).toBe('conflict');
  });

  it('pause while the draft is sent: the save under way is awaited, and its version is the one that the send names', async () => {
    const { saver, asked } = stand({ id: 'd1', version: 1 });
    saver.change(parts('one'), true);
    void saver.flush();
    let isHeld = false;
    const held = saver.hold().then((may) => {
      isHeld = true;
      return may;
    });
    await settle();
    expect(isHeld).toBe(false);
    asked[0]?.answer(saved(2));
    expect([await held, saver.version]).toEqual([true, 2]);
    saver.change(parts('two'), true);
    void saver.flush();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(1);
    saver.resume();
    await jest.advanceTimersByTimeAsync(1500);
    expect(asked.slice(1).map(({ version, parts: { subject } }) => [version, subject])).toEqual([[2, 'two']]);
    const again = saver.hold();
    asked[1]?.fail({ kind: 'changed', other: { version: 7, updatedAt: '', device: null } });
    expect(await again).toBe(false);
  });

  it('overwrite another version that only a send has found, where the user chooses that', async () => {
    const { saver, asked, last } = stand({ id: 'd1', version: 1 });
    saver.change(parts('as stored'), true);
    saver.stop({ name: 'conflict', other: { version: 3, updatedAt: '', device: null } });
    void saver.overwriteServerVersion({ version: 3, updatedAt: '', device: null });
    await settle();
    expect(asked.map(({ version, parts: { subject } }) => [version, subject])).toEqual([[3, 'as stored']]);
    asked[0]?.answer(saved(4));
    await settle();
    expect(last()).toBe('saved');
  });

  it('do not let the draft be sent once another user may be signed in', async () => {
    const { saver, asked, become } = stand({ id: 'd1', version: 1 });
    saver.change(parts('one'), true);
    void saver.flush();
    const held = saver.hold();
    become('ended');
    asked[0]?.fail({ kind: 'passing' });
    expect(await held).toBe(false);
  });

  it('are not begun again by a choice between two versions after they have ended, or while the draft is sent', async () => {
    const other = { version: 7, updatedAt: '', device: null };
    const conflicting = () => {
      const stood = stand({ id: 'd1', version: 1 });
      stood.saver.change(parts('mine'), true);
      stood.saver.noteSaveElsewhere(other);
      return stood;
    };
    const choices = [
      (saver: DraftSaver) => saver.adoptServerVersion(saved(7), parts('theirs')),
      (saver: DraftSaver) => saver.overwriteServerVersion(other),
      (saver: DraftSaver) => saver.recreate(),
    ];
    const ends = [(saver: DraftSaver) => saver.close(), (saver: DraftSaver) => void saver.hold()];
    for (const end of ends)
      for (const choose of choices) {
        const { saver, asked, safe } = conflicting();
        end(saver);
        await choose(saver);
        saver.change(parts('more'), true);
        await saver.flush();
        await jest.advanceTimersByTimeAsync(60_000);
        expect([asked.length, saver.version, safe()]).toEqual([0, 1, 0]);
      }
  });

  it('end when the draft was sent elsewhere, and when it is closed here', async () => {
    const { saver, asked, last } = stand({ id: 'd1', version: 1 });
    saver.change(parts('mine'), true);
    void saver.flush();
    asked[0]?.fail({ kind: 'sent', sendId: 'h1', at: '2026-01-05T10:45:00.000Z' });
    await settle();
    expect(last()).toBe('sent');
    saver.close();
    saver.change(parts('more'), true);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([asked.length, saver.isUnsaved]).toEqual([1, false]);
  });
});
