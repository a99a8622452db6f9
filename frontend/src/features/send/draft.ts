import { z } from 'zod';
import { sendTypes, type SendType } from '../../lib/roles';
import { audienceSchema, isCap, isPlain, noAudience, type Audience } from './audience/audience';
import {
  documentLength,
  emptyDocument,
  isEmptyDocument,
  MAX_DOCUMENT_LENGTH,
  type RichDocument,
} from '../../ui/editor/document';
import type { JobDto } from '../../api/endpoints.gen';
import { chosenFilesSchema, type ChosenFile } from './files/chosen-files';

/** Details of the job that a post offers. */
export type Job = JobDto;

/** The content of a draft, which is synchronised between devices. */
export interface Composition {
  emailType: SendType;
  emailListIds: string[];
  audience: Audience;
  subject: string;
  preheader: string;
  /** The plain text of a message without a document. */
  content: string;
  /** The rich text; null if the message is plain text. */
  document: RichDocument | null;
  /** Whether the message has the sender's logo and colour; null: the default, which is true for rich text. */
  brand?: boolean | null;
  /** Whether the message has the sender's signature; null: the default, which is true for rich text. */
  signature?: boolean | null;
  /** The job in the pasted requirement from which the message was made; null if there is none. */
  job?: Job | null;
  /** The documents that go with the message; none if absent. */
  files?: readonly ChosenFile[];
}

/** A draft as the wizard edits it. */
export interface Draft extends Composition {
  step: number;
  /** Idempotency key of the send, so that a retry never mails twice. Reset by every change. */
  key: string | null;
}

export const LAST_STEP = 3;

/** Maximum lengths that the server accepts. */
export const MAX_SUBJECT_LENGTH = 255;
export const MAX_PREHEADER_LENGTH = 150;
export const MAX_CONTENT_LENGTH = 100_000;

const richDocument = z.custom<RichDocument>(
  (value) => typeof value === 'object' && value !== null && 'content' in value && Array.isArray(value.content),
);

export const compositionSchema = z.object({
  emailType: z.enum(sendTypes),
  emailListIds: z.array(z.string()),
  audience: audienceSchema,
  subject: z.string(),
  preheader: z.string().catch(''),
  content: z.string(),
  // Drafts of versions before rich text have no document: they stay plain text.
  document: richDocument.nullable().catch(null),
  brand: z.boolean().nullable().catch(null),
  signature: z.boolean().nullable().catch(null),
  job: z
    .custom<Job>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
    .nullable()
    .catch(null),
  files: chosenFilesSchema,
});

export const emptyDraft = (emailType: SendType): Draft => ({
  step: 0,
  emailType,
  emailListIds: [],
  audience: noAudience,
  subject: '',
  preheader: '',
  content: '',
  document: emptyDocument(),
  key: null,
});

export const compositionOf = ({
  emailType,
  emailListIds,
  audience,
  subject,
  preheader,
  content,
  document,
  brand = null,
  signature = null,
  job = null,
  files = [],
}: Composition): Composition => ({
  emailType,
  emailListIds,
  audience,
  subject,
  preheader,
  content,
  document,
  brand,
  signature,
  job,
  files,
});

/**
 * Whether two compositions are equal. The order of keys and marks does not matter, nor whether defaults are written
 * out.
 */
export const isSameComposition = (one: Composition, other: Composition) =>
  withSortedKeys({ ...compositionOf(one), document: null }) ===
    withSortedKeys({ ...compositionOf(other), document: null }) &&
  (one.document === other.document ||
    (!hasOtherText(one.document, other.document) && textOf(one.document) === textOf(other.document)));

type Written = { text?: string; content?: readonly Written[] };

/** Whether the documents differ in a text. Faster than serialising both. */
const hasOtherText = (one: Written | null, other: Written | null): boolean =>
  one !== null &&
  other !== null &&
  one !== other &&
  (one.text !== other.text ||
    (one.content ?? []).some((node, place) => hasOtherText(node, other.content?.[place] ?? null)));

/** Caches the serialised form, because documents are compared with every change. */
const texts = new WeakMap<RichDocument, string>();

function textOf(document: RichDocument | null): string | null {
  if (document === null) return null;
  const known = texts.get(document) ?? withSortedKeys(document);
  texts.set(document, known);
  return known;
}

/** Default values of document attributes: omitted and explicit ones are equal. */
const DEFAULTS: Record<string, unknown> = {
  level: 1,
  width: null,
  textAlign: 'left',
  start: 1,
  colspan: 1,
  rowspan: 1,
  tint: null,
  fallback: null,
  href: null,
  alt: '',
  label: '',
};

function withSortedKeys(value: unknown): string {
  return JSON.stringify(value, (name, part: unknown) => {
    if (name === 'marks' && Array.isArray(part)) return part.map((mark) => withSortedKeys(mark)).sort();
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    const entries = Object.entries(part)
      .filter(([key, given]) => name !== 'attrs' || !(key in DEFAULTS) || DEFAULTS[key] !== given)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return name === 'attrs' && entries.length === 0 ? undefined : Object.fromEntries(entries);
  });
}

const hasBody = ({ document, content }: Composition) => (document ? !isEmptyDocument(document) : content.trim() !== '');

/** Whether the message has this part of the sender's profile. */
export const isPartShown = (
  part: 'brand' | 'signature',
  draft: Pick<Composition, 'document' | 'brand' | 'signature'>,
): boolean => draft[part] ?? draft.document !== null;

/** Whether a list or a segment is chosen. */
export const hasRecipients = ({ emailListIds, audience }: Pick<Composition, 'emailListIds' | 'audience'>): boolean =>
  emailListIds.length > 0 || audience.segmentIds.length > 0;

/** Whether the draft contains anything worth saving. */
export const isStarted = (draft: Composition) =>
  hasRecipients(draft) ||
  !isPlain(draft.audience) ||
  draft.subject.trim() !== '' ||
  draft.preheader.trim() !== '' ||
  (draft.files ?? []).length > 0 ||
  hasBody(draft);

/** Whether the current step has its required input. */
export function isStepComplete(draft: Draft): boolean {
  if (draft.step === 0) return hasRecipients(draft) && isCap(draft.audience.perCompany ?? 1);
  if (draft.step === 1)
    return (
      draft.subject.trim() !== '' &&
      draft.subject.trim().length <= MAX_SUBJECT_LENGTH &&
      draft.preheader.trim().length <= MAX_PREHEADER_LENGTH
    );
  if (draft.step !== 2) return true;
  const isTooLong = draft.document
    ? documentLength(draft.document) > MAX_DOCUMENT_LENGTH
    : draft.content.length > MAX_CONTENT_LENGTH;
  return hasBody(draft) && !isTooLong;
}

/** The last step that can be opened: all steps before it are complete. */
export function furthestStep(draft: Draft): number {
  for (let step = 0; step < LAST_STEP; step += 1) if (!isStepComplete({ ...draft, step })) return step;
  return LAST_STEP;
}

export type DraftChange = Partial<Composition>;

/** Applies a change and resets the idempotency key. */
export const changeDraft = (draft: Draft, change: DraftChange): Draft => ({ ...draft, ...change, key: null });
