import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { LIST_PARAM, SEGMENT_PARAM } from '../../lib/routes';
import { useAddress } from '../../lib/use-address';
import { randomUuid } from '../../lib/browser';
import type { EditorHandle } from '../../ui/editor/editor-handle';
import type { SentDraft } from './api';
import { saveErrorOf, useDraftCalls, type StoredDraft } from './drafts/api';
import { draftCopies } from './drafts/draft-copy';
import type { StoredVersion } from './drafts/save-state';
import type { OpenedDraft } from './drafts/opened-draft';
import { useOtherWindows } from './drafts/use-other-windows';
import { partsOf, useSaver } from './drafts/use-saver';
import {
  changeDraft,
  furthestStep,
  LAST_STEP,
  MAX_SUBJECT_LENGTH,
  type Composition,
  type Draft,
  type DraftChange,
} from './draft';

/** How a conflict is resolved: with the server's version, with the one on this screen, or by keeping both. */
export type ConflictChoice = 'server' | 'local' | 'both';

const copyName = (subject: string) => `${subject.trim().slice(0, MAX_SUBJECT_LENGTH - 10)} (my copy)`.trim();

/**
 * The draft on the screen: its content, its step (kept in the URL) and its save state.
 * @param editor the field for rich text, which reports changes later than they are made
 */
export function useDraft(opened: OpenedDraft, onCreated: (id: string) => void, editor: RefObject<EditorHandle | null>) {
  const calls = useDraftCalls();
  const [composition, setComposition] = useState(opened.draft);
  const [revision, setRevision] = useState(0);
  const [step, go] = useStep(composition);
  const draft: Draft = { ...composition, step };
  const { saver, state, ownerId } = useSaver(opened, draft, onCreated);
  const [wasChanged, setWasChanged] = useState(false);
  const latest = useRef(draft);
  // The number of the newest change, and of the newest one on the screen: the editor's are rendered in a transition.
  const [shownChange, setShownChange] = useState(0);
  const lastChange = useRef({ made: 0, shown: 0 });
  useLayoutEffect(() => {
    latest.current = draft;
    lastChange.current.shown = shownChange;
  });

  const edit = (change: (now: Composition) => DraftChange) => {
    lastChange.current.made += 1;
    setShownChange(lastChange.current.made);
    setComposition((now) => changeDraft(now, change(now)));
  };
  const reloadEditor = () => setRevision((now) => now + 1);
  /** Shows a stored version, unless saving has ended or the draft is being sent. @returns whether it is shown */
  const show = ({ saved, parts }: StoredDraft): boolean => {
    if (!saver.adoptServerVersion(saved, { ...parts, step: latest.current.step })) return false;
    setComposition({ ...parts, key: null });
    reloadEditor();
    return true;
  };
  /** Notes that another window saved a version. @returns whether that conflicts with changes here */
  const noteOtherVersion = (other: StoredVersion): boolean => {
    editor.current?.flush();
    const { made, shown } = lastChange.current;
    return saver.noteSaveElsewhere(other, made !== shown);
  };
  /** Shows what another window saved, unless the draft was edited or saved here while it was loaded. */
  const followOtherWindow = async (id: string) => {
    const stored = await calls.load(id);
    if (saver.id !== id || stored.saved.version <= (saver.version ?? 0)) return;
    if (noteOtherVersion({ ...stored.saved, device: null })) return;
    if (show(stored)) setWasChanged(true);
  };
  const { isOpenElsewhere, announce: tell } = useOtherWindows(saver.id, state, saver.version, {
    onSaved: (version, updatedAt) => {
      if (saver.version !== null && version <= saver.version) return;
      if (noteOtherVersion({ version, updatedAt, device: null }) || saver.id === null) return;
      void followOtherWindow(saver.id).catch((error: unknown) => {
        // Nothing is unsaved here, so a temporary error needs no retry: the next save finds the newer version.
        if (saveErrorOf(error).kind !== 'passing') void saver.applyError(error);
      });
    },
    onGone: (what) => {
      if (what === 'deleted') return saver.stop({ name: 'deleted' });
      // Loads the draft again, because the refusal tells which send the draft became.
      void calls.load(saver.id ?? '').catch((error: unknown) => saver.applyError(error));
    },
  });
  return {
    draft,
    /** Returns the current draft, for code that continues after an await. */
    current: (): Draft => latest.current,
    state,
    /** Increased when the text was replaced from outside the editor, which then loads it again. */
    revision,
    isOpenElsewhere,
    wasChanged,
    dismissNotice: () => setWasChanged(false),
    change: (change: DraftChange) => edit(() => change),
    /**
     * Changes the draft depending on its current state, for code that continues after an await.
     * @param isReplacement whether the text in the editor is replaced
     */
    update: (change: (now: Composition) => DraftChange, isReplacement = false) => {
      edit(change);
      if (isReplacement) reloadEditor();
    },
    /** Replaces the text in the editor, for example with a template. */
    replace: (change: DraftChange) => {
      edit(() => change);
      reloadEditor();
    },
    go,
    saveNow: () => void saver.flush(),
    /**
     * Resolves a conflict. Does nothing where saving has ended or the draft is being sent.
     * @returns the id of the new draft where both versions are kept
     */
    settle: async (how: ConflictChoice, other: StoredVersion): Promise<string | undefined> => {
      if (!saver.isReplaceable) return undefined;
      // A report that came after the other version was shown would replace its text.
      editor.current?.flush();
      if (how === 'local') return void (await saver.overwriteServerVersion(other));
      if (how === 'server') return void show(await calls.load(saver.id ?? ''));
      const subject = copyName(latest.current.subject);
      const copy = { ...partsOf(latest.current), subject };
      const saved = await calls.create(copy);
      // Saving has ended or the draft is being sent meanwhile, so the copy is only in the Library.
      if (!saver.adoptServerVersion(saved, copy)) return undefined;
      setComposition((now) => ({ ...now, subject, key: null }));
      onCreated(saved.id);
      return saved.id;
    },
    recreate: () => void saver.recreate(),
    /**
     * Stops saving while the draft is sent.
     * @returns id and version of the draft for the request; null if the user first has to choose between two versions,
     * or if another user may have signed in
     */
    holdSaves: async (): Promise<SentDraft | null> => {
      if (!(await saver.hold())) return null;
      return saver.id === null ? {} : { draftId: saver.id, draftVersion: saver.version ?? undefined };
    },
    /**
     * Resumes saving, because the draft was not sent.
     * @returns 'conflict' if the user first has to choose between two versions; 'again' if only the version was
     * outdated, because of a save from this screen
     */
    resumeSaves: async (error?: unknown): Promise<'failed' | 'conflict' | 'again'> => {
      const { version } = saver;
      const isChanged = error !== undefined && saveErrorOf(error).kind === 'changed';
      if (isChanged) await saver.applyError(error);
      saver.resume();
      if (!isChanged) return 'failed';
      if (saver.isConflicting) return 'conflict';
      return saver.version === version ? 'failed' : 'again';
    },
    /** The idempotency key for sending this draft; it stays the same until the draft is changed. */
    takeKey: () => {
      const key = composition.key ?? randomUuid();
      setComposition((now) => ({ ...now, key }));
      return key;
    },
    /** Deletes the draft, on this device and on the server. */
    discard: async () => {
      // A save under way may be creating the draft, whose id is known only then.
      await saver.hold();
      saver.close();
      draftCopies.remove(ownerId, saver.id);
      tell('deleted');
      if (saver.id) await calls.remove(saver.id);
    },
    /** Ends saving after the draft was sent. */
    forget: () => {
      saver.close();
      draftCopies.remove(ownerId, saver.id);
      tell('sent');
    },
  };
}

export type DraftState = ReturnType<typeof useDraft>;

/**
 * The step in the URL, limited to steps that can be reached. Without a step in the URL, a stored draft opens at the
 * step at which it was left.
 */
function useStep(composition: Draft): [step: number, go: (step: number, options?: { replace?: boolean }) => void] {
  const { params, write } = useAddress();
  const stepParam = params.get('step');
  const [isArriving, setArriving] = useState(
    () => stepParam === null && composition.step > 0 && !params.has(LIST_PARAM) && !params.has(SEGMENT_PARAM),
  );
  if (isArriving && stepParam !== null) setArriving(false);
  const wanted = isArriving ? composition.step : Number.parseInt(stepParam ?? '1', 10) - 1 || 0;
  const step = Math.max(0, Math.min(wanted, furthestStep(composition), LAST_STEP));
  const go = (to: number, options?: { replace?: boolean }) => {
    const next = Math.max(0, Math.min(LAST_STEP, to));
    const named = next === 0 ? null : String(next + 1);
    setArriving(false);
    if (named !== stepParam) write({ step: named }, options);
  };
  const arrive = useEffectEvent(() => write({ step: String(step + 1) }, { replace: true }));
  useEffect(() => {
    if (isArriving) arrive();
  }, [isArriving]);
  return [step, go];
}
