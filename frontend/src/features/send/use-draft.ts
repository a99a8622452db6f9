import { useEffect, useState } from 'react';
import { mayTypes } from '../../lib/roles';
import { storage } from '../../lib/storage';
import { useCurrentUser } from './api';
import { changed, emptyDraft, isBegun, LAST_STEP, parseDraft, type DraftChange } from './draft';

/** The person's draft: kept on this device under their id, so that it survives a reload. */
export function useDraft() {
  const user = useCurrentUser();
  const storageKey = `send_draft_${user.id}`;
  const allowed = mayTypes(user.role, user.isAdmin);
  const start = () => emptyDraft(allowed[0] ?? 'job-post');
  const [draft, setDraft] = useState(() => storage.read(storageKey, parseDraft) ?? start());
  // The role may have changed since it was written: what was written stays, its type follows.
  if (!allowed.includes(draft.emailType)) setDraft(changed(draft, { emailType: start().emailType }));
  const [restored, setRestored] = useState(() => isBegun(draft));
  useEffect(() => {
    if (isBegun(draft)) storage.write(storageKey, { ...draft, savedAt: new Date().toISOString() });
    else storage.remove(storageKey);
  }, [draft, storageKey]);
  return {
    draft,
    /** A draft of an earlier visit is on the screen. */
    restored,
    change: (change: DraftChange) => setDraft((now) => changed(now, change)),
    go: (step: number) => setDraft((now) => ({ ...now, step: Math.max(0, Math.min(LAST_STEP, step)) })),
    /** The key this draft is sent with; the same one until something changes. */
    takeKey: () => {
      const key = draft.key ?? crypto.randomUUID();
      setDraft((now) => ({ ...now, key }));
      return key;
    },
    clear: () => {
      storage.remove(storageKey);
      setRestored(false);
      setDraft(start());
    },
    forget: () => storage.remove(storageKey),
  };
}

export type DraftState = ReturnType<typeof useDraft>;
