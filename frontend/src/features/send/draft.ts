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

const schema: z.ZodType<Draft> = z.object({
  step: z.number().int().min(0).max(LAST_STEP),
  emailType: z.enum(sendTypes),
  emailListIds: z.array(z.string()),
  subject: z.string(),
  content: z.string(),
  key: z.string().nullable(),
  savedAt: z.string().nullable(),
});

export const emptyDraft = (emailType: SendType): Draft => ({ step: 0, emailType, emailListIds: [], subject: '', content: '', key: null, savedAt: null });

/** A stored draft, or null when it is none. */
export const parseDraft = (value: unknown): Draft | null => schema.safeParse(value).data ?? null;

/** Whether there is anything to lose. */
export const isBegun = (draft: Draft) => draft.emailListIds.length > 0 || draft.subject.trim() !== '' || draft.content.trim() !== '';

/** product.md section 4: what a step needs before Next. */
export function mayGoOn(draft: Draft): boolean {
  if (draft.step === 0) return draft.emailListIds.length > 0;
  if (draft.step === 1) return draft.subject.trim() !== '';
  return draft.step !== 2 || draft.content.trim() !== '';
}

export type DraftChange = Partial<Pick<Draft, 'emailType' | 'emailListIds' | 'subject' | 'content'>>;

/** The draft with a change; what is sent changes, so its key goes. */
export const changed = (draft: Draft, change: DraftChange): Draft => ({ ...draft, ...change, key: null });
