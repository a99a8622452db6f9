import { jest } from '@jest/globals';
import type { SessionState } from '../src/features/send/api';
import { emptyDraft } from '../src/features/send/draft';
import { DraftSaver } from '../src/features/send/drafts/draft-saver';
import type { DraftParts, Saved, SaveError, SaveState } from '../src/features/send/drafts/save-state';
import { partsOf } from '../src/features/send/drafts/use-saver';

const empty = partsOf(emptyDraft('job-post'));
/** The parts of a draft that has only a subject. */
export const parts = (subject: string): DraftParts => ({ ...empty, subject });

/** A saver, with a server that answers when the test tells it to. */
export function stand(known: { id: string; version: number } | null = null) {
  const asked: {
    version: number | null;
    parts: DraftParts;
    answer: (saved: Saved) => void;
    fail: (fault: SaveError) => void;
  }[] = [];
  const loads: { answer: (saved: Saved, parts: DraftParts) => void; fail: (fault: SaveError) => void }[] = [];
  const states: SaveState[] = [];
  let safe = 0;
  let session: SessionState = 'active';
  const ask = (version: number | null, given: DraftParts) =>
    new Promise<Saved>((resolve, reject) =>
      asked.push({ version, parts: given, answer: resolve, fail: (fault) => reject(fault as never) }),
    );
  const saver = new DraftSaver(
    {
      create: (given) => ask(null, given),
      save: (_id, version, given) => ask(version, given),
      load: () =>
        new Promise((resolve, reject) =>
          loads.push({
            answer: (saved, stored) => resolve({ saved, parts: stored }),
            fail: (fault) => reject(fault as never),
          }),
        ),
      saveErrorOf: (fault) => fault as SaveError,
      sessionState: () => session,
      onCreated: () => undefined,
      onState: (state) => states.push(state),
      onSafe: () => void (safe += 1),
    },
    known,
    known && parts('as stored'),
  );
  return {
    saver,
    asked,
    loads,
    states,
    last: () => states.at(-1)?.name,
    safe: () => safe,
    /** Changes the state of the user's session. */
    become: (state: SessionState) => void (session = state),
  };
}
/** The answer to a save. */
export const saved = (version: number): Saved => ({ id: 'd1', version, updatedAt: '2026-01-05T10:42:00.000Z' });
/** Lets promises settle under fake timers. */
export const settle = () => jest.advanceTimersByTimeAsync(0);
