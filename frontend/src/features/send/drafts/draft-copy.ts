import { z } from 'zod';
import { sendDraftKey } from '../../../lib/send-draft';
import { storage } from '../../../lib/storage';
import { compositionOf, compositionSchema, LAST_STEP, type Composition, type Draft } from '../draft';

/** A local copy of a draft's unsaved changes. */
export interface DraftCopy extends Composition {
  step: number;
  key: string | null;
  /** Id of the stored draft; null if it was never saved, as by releases that kept drafts on the device only. */
  draftId: string | null;
  /** The stored version that the changes are based on. */
  version: number | null;
}

const schema = compositionSchema.extend({
  step: z.number().int().min(0).max(LAST_STEP),
  key: z.string().nullable().catch(null),
  draftId: z.string().nullable().catch(null),
  version: z.number().nullable().catch(null),
});

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
    }),
  remove: (userId: string): void => storage.remove(sendDraftKey(userId)),
};
