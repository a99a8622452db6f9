import { z } from 'zod';
import { sendTypes, type SendType } from '../../lib/roles';

/** A send as it is being written. */
export interface Draft {
  step: number;
  emailType: SendType;
  emailListIds: string[];
  subject: string;
  content: string;
  /** Goes with the send so that a retry never mails twice; a change of the send drops it. */
  key: string | null;
  savedAt: string | null;
}

export const LAST_STEP = 3;

/** The longest subject and text that the server takes. */
export const MAX_SUBJECT = 255;
export const MAX_CONTENT = 100_000;

const schema = z.object({
  step: z.number().int().min(0).max(LAST_STEP),
  emailType: z.enum(sendTypes),
  emailListIds: z.array(z.string()),
  subject: z.string(),
  content: z.string(),
  key: z.string().nullable(),
  savedAt: z.string().nullable(),
});

export const emptyDraft = (emailType: SendType): Draft => ({ step: 0, emailType, emailListIds: [], subject: '', content: '', key: null, savedAt: null });

/** A draft as this browser keeps it; each write has a revision of its own. */
const stored = schema.extend({ revision: z.string().nullable().catch(null) });
export type StoredDraft = z.infer<typeof stored>;

export const parseStored = (value: unknown): StoredDraft | null => stored.safeParse(value).data ?? null;

/** A stored draft, or null when it is none. */
export const parseDraft = (value: unknown): Draft | null => schema.safeParse(value).data ?? null;

/** Whether there is anything to lose. */
export const isBegun = (draft: Draft) => draft.emailListIds.length > 0 || draft.subject.trim() !== '' || draft.content.trim() !== '';

/** Whether a step has what it needs before Next. */
export function mayGoOn(draft: Draft): boolean {
  if (draft.step === 0) return draft.emailListIds.length > 0;
  if (draft.step === 1) return draft.subject.trim() !== '' && draft.subject.trim().length <= MAX_SUBJECT;
  return draft.step !== 2 || (draft.content.trim() !== '' && draft.content.length <= MAX_CONTENT);
}

/** The last step that can be shown: all before it have what they need. */
export function furthestStep(draft: Draft): number {
  for (let step = 0; step < LAST_STEP; step += 1) if (!mayGoOn({ ...draft, step })) return step;
  return LAST_STEP;
}

export type DraftChange = Partial<Pick<Draft, 'emailType' | 'emailListIds' | 'subject' | 'content'>>;

/** The draft with a change; what is sent changes, so its key goes. */
export const changed = (draft: Draft, change: DraftChange): Draft => ({ ...draft, ...change, key: null });
