import { z } from 'zod';
import { randomUuid } from '../../../lib/browser';
import { sendDraftKey } from '../../../lib/send-draft';
import { storage } from '../../../lib/storage';
import { compositionOf, compositionSchema, LAST_STEP, type Composition, type Draft } from '../draft';

/** A local copy of a draft's unsaved changes. */
export interface DraftCopy extends Composition {
  step: number;
  key: string | null;
  /**
   * Id of the stored draft; null if the server has none. Also null in copies by earlier versions, which kept drafts on
   * the device only.
   */
  draftId: string | null;
  /** The stored version that the changes are based on. */
  version: number | null;
  /** Id of the window that wrote the copy; absent in copies by an earlier version. */
  by?: string | null;
}

const schema = compositionSchema.extend({
  step: z.number().int().min(0).max(LAST_STEP),
  key: z.string().nullable().catch(null),
  draftId: z.string().nullable().catch(null),
  version: z.number().nullable().catch(null),
  by: z.string().nullable().catch(null),
});

/** Id of this window: the account has a single copy, which another window may have written. */
const WINDOW_ID = randomUuid();

const parse = (value: unknown): DraftCopy | null => schema.safeParse(value).data ?? null;

/** Local copies of unsaved drafts in localStorage: written on every change and removed once saved on the server. */
export const draftCopies = {
  read: (userId: string): DraftCopy | null => storage.read(sendDraftKey(userId), parse),
  write: (userId: string, draft: Draft, draftId: string | null, version: number | null): void =>
    storage.write(sendDraftKey(userId), {
      ...compositionOf(draft),
      step: draft.step,
      key: draft.key,
      draftId,
      version,
      by: WINDOW_ID,
    }),
  /**
   * Removes the copy if it belongs to this draft or was written by this window. A copy that another window wrote for
   * another message stays.
   */
  remove(userId: string, draftId: string | null): void {
    const copy = draftCopies.read(userId);
    if (!copy || copy.by === WINDOW_ID || (draftId !== null && copy.draftId === draftId))
      storage.remove(sendDraftKey(userId));
  },
};
