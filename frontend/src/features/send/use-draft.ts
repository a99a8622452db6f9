import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { mayTypes } from '../../lib/roles';
import { AGAIN, TO_LIST } from '../../lib/routes';
import { sendDraftKey } from '../../lib/send-draft';
import { storage } from '../../lib/storage';
import { useAddress } from '../../lib/use-address';
import { randomUuid } from '../../lib/uuid';
import { useCurrentUser } from './api';
import { changed, emptyDraft, furthestStep, isBegun, LAST_STEP, parseDraft, parseStored, type Draft, type DraftChange, type StoredDraft } from './draft';

/** What another tab of this browser did to the draft. */
export type Elsewhere = { what: 'changed' } | { what: 'gone' } | { what: 'conflict'; theirs: StoredDraft } | null;

/** The person's draft: kept on this device under their id, so that it survives a reload. Tabs show the same one; its step is in the address. */
export function useDraft() {
  const user = useCurrentUser();
  const storageKey = sendDraftKey(user.id);
  const allowed = mayTypes(user.role, user.isAdmin);
  const start = () => emptyDraft(allowed[0] ?? 'job-post');
  const [kept, setKept] = useState(() => storage.read(storageKey, parseDraft) ?? start());
  // The role may have changed since it was written: what was written stays, its type follows.
  if (!allowed.includes(kept.emailType)) setKept(changed(kept, { emailType: start().emailType }));
  const [restored, setRestored] = useState(() => isBegun(kept));
  const isClosed = useRef(false);
  const [step, go] = useStep(kept);
  const draft: Draft = { ...kept, step };
  const [elsewhere, setElsewhere, adopt] = useKeptDraft(storageKey, draft, isClosed, setKept, start);
  return {
    draft,
    /** The step at which the kept draft was left. */
    leftAt: kept.step,
    /** A draft of an earlier visit is on the screen. */
    restored,
    elsewhere,
    /** Answers a conflict with another tab: `theirs` takes the place of this tab's text, without it this tab's text is kept. */
    settle: (theirs?: StoredDraft) => {
      adopt(theirs);
      setElsewhere(null);
    },
    dismissNotice: () => setElsewhere(null),
    change: (change: DraftChange) => {
      if (!isClosed.current) setKept((now) => changed(now, change));
    },
    go,
    /** The key this draft is sent with; the same one until something changes. */
    takeKey: () => {
      const key = draft.key ?? randomUuid();
      setKept((now) => ({ ...now, key }));
      return key;
    },
    clear: () => {
      storage.remove(storageKey);
      setRestored(false);
      setElsewhere(null);
      setKept(start());
      go(0, { replace: true });
    },
    /** It has been sent: it is kept no longer, whatever is still pressed on this screen. */
    forget: () => {
      isClosed.current = true;
      storage.remove(storageKey);
    },
  };
}

export type DraftState = ReturnType<typeof useDraft>;

/** The step from the address, as far as the draft has what the steps before it need. Without one in the address a kept draft goes on where it was left. */
function useStep(kept: Draft): [step: number, go: (step: number, options?: { replace?: boolean }) => void] {
  const { params, write } = useAddress();
  const asked = params.get('step');
  const [isArriving, setArriving] = useState(() => asked === null && kept.step > 0 && !params.has(AGAIN) && !params.has(TO_LIST));
  if (isArriving && asked !== null) setArriving(false);
  const wanted = isArriving ? kept.step : Number.parseInt(asked ?? '1', 10) - 1 || 0;
  const step = Math.max(0, Math.min(wanted, furthestStep(kept), LAST_STEP));
  const go = (to: number, options?: { replace?: boolean }) => {
    const next = Math.max(0, Math.min(LAST_STEP, to));
    const named = next === 0 ? null : String(next + 1);
    setArriving(false);
    if (named !== asked) write({ step: named }, options);
  };
  const arrive = useEffectEvent(() => write({ step: String(step + 1) }, { replace: true }));
  useEffect(() => {
    if (isArriving) arrive();
  }, [isArriving]);
  return [step, go];
}

/** Keeps the draft on this device and follows what other tabs make of it; never writes over a version it has not seen. */
function useKeptDraft(storageKey: string, draft: Draft, isClosed: { current: boolean }, show: (draft: Draft) => void, empty: () => Draft) {
  const seen = useRef(storage.read(storageKey, parseStored)?.revision ?? null);
  const written = useRef(JSON.stringify(draft));
  const [elsewhere, setElsewhere] = useState<Elsewhere>(null);
  const text = JSON.stringify(draft);
  const save = useEffectEvent(() => {
    if (isClosed.current || text === written.current) return;
    const theirs = storage.read(storageKey, parseStored);
    if (theirs?.revision && theirs.revision !== seen.current) return setElsewhere({ what: 'conflict', theirs });
    written.current = text;
    if (!isBegun(draft)) return storage.remove(storageKey);
    seen.current = randomUuid();
    storage.write(storageKey, { ...draft, savedAt: new Date().toISOString(), revision: seen.current });
  });
  useEffect(() => save(), [text]);

  const follow = useEffectEvent(({ key, newValue }: StorageEvent) => {
    if (key !== storageKey || isClosed.current) return;
    const theirs = newValue === null ? null : storage.read(storageKey, parseStored);
    if (theirs?.revision === seen.current) return;
    const isLost = theirs === null && isBegun(draft);
    seen.current = theirs?.revision ?? null;
    const next = theirs ? { ...theirs, step: draft.step } : empty();
    written.current = JSON.stringify(next);
    show(next);
    if (theirs || isLost) setElsewhere({ what: theirs ? 'changed' : 'gone' });
  });
  useEffect(() => {
    const onStorage = (event: StorageEvent) => follow(event);
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, []);

  const adopt = (theirs?: StoredDraft) => {
    seen.current = storage.read(storageKey, parseStored)?.revision ?? null;
    const next = { ...(theirs ?? { ...draft, key: null }), step: draft.step };
    written.current = JSON.stringify(next);
    show(next);
    if (theirs) return;
    seen.current = randomUuid();
    storage.write(storageKey, { ...next, savedAt: new Date().toISOString(), revision: seen.current });
  };
  return [elsewhere, setElsewhere, adopt] as const;
}
