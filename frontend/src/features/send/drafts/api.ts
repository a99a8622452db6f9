import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useDispatch } from 'react-redux';
import { isApiError } from '../../../api/api-error';
import { client } from '../../../api/client';
import type { DraftDto, SaveDraftDto } from '../../../api/endpoints.gen';
import type { RichDocument } from '../../../ui/editor/document';
import { audienceDto, audienceOf, noAudience } from '../audience/audience';
import { senderPartsOf } from '../composition/templates';
import { emptyDraft, isStarted } from '../draft';
import { chosenFilesOf, filesPart } from '../files/chosen-files';
import type { DraftParts, Saved, SaveError } from './save-state';

/** A draft as stored on the server. */
export interface StoredDraft {
  /** Names of segments that the copied send had and that no longer exist. */
  goneSegments?: readonly string[];
  saved: Saved & { device: string | null };
  parts: DraftParts;
}

const toStored = ({ id, version, updatedAt, device, ...draft }: DraftDto): StoredDraft => ({
  goneSegments: draft.goneSegments ?? [],
  saved: { id, version, updatedAt, device },
  parts: {
    emailType: draft.emailType,
    emailListIds: draft.emailListIds,
    audience: audienceOf(draft),
    subject: draft.subject,
    preheader: draft.preheader,
    content: draft.content ?? '',
    // A draft without a body starts as rich text.
    document:
      (draft.document as RichDocument | null) ?? (draft.content === null ? emptyDraft(draft.emailType).document : null),
    brand: draft.brand ?? null,
    signature: draft.signature ?? null,
    job: draft.job,
    files: chosenFilesOf(draft.files),
    step: draft.step - 1,
  },
});

const toWire = ({ step, ...parts }: DraftParts): SaveDraftDto => ({
  emailListIds: parts.emailListIds,
  ...audienceDto(parts.audience),
  emailType: parts.emailType,
  subject: parts.subject,
  preheader: parts.preheader,
  ...senderPartsOf(parts),
  ...(parts.job && { job: parts.job }),
  ...filesPart(parts.files),
  step: step + 1,
  ...(parts.document
    ? isStarted({ ...parts, emailListIds: [], audience: noAudience, subject: '', preheader: '', files: [] }) && {
        document: parts.document as never,
      }
    : { content: parts.content }),
});

/** The draft whose id is in the URL, always fetched again. */
export function useStoredDraft(id: string) {
  const { currentData, error, isFetching, refetch } = client.useGetDraftQuery(
    { id },
    { refetchOnMountOrArgChange: true },
  );
  return { stored: isFetching || !currentData ? null : toStored(currentData), error, isFetching, refetch };
}

/** The number of drafts, and the one changed last. */
export function useLatestDraft(skip: boolean) {
  const { data } = client.useListDraftsQuery({ limit: 1 }, { skip, refetchOnMountOrArgChange: true });
  return data && data.rows[0] ? { total: data.total, latest: data.rows[0] } : null;
}

/**
 * The API calls for drafts. They do not depend on a mounted component, so a save completes after the screen was left.
 */
export function useDraftCalls() {
  const dispatch = useDispatch<ThunkDispatch<unknown, unknown, UnknownAction>>();
  const { createDraft, saveDraft, getDraft, deleteDraft } = client.endpoints;
  return {
    create: (parts: DraftParts): Promise<Saved> =>
      dispatch(createDraft.initiate({ createDraftDto: toWire(parts) })).unwrap(),
    save: (id: string, version: number, parts: DraftParts): Promise<Saved> =>
      dispatch(saveDraft.initiate({ id, 'If-Match': `"${version}"`, saveDraftDto: toWire(parts) })).unwrap(),
    load: async (id: string): Promise<StoredDraft> =>
      toStored(await dispatch(getDraft.initiate({ id }, { forceRefetch: true, subscribe: false })).unwrap()),
    remove: (id: string): Promise<unknown> => dispatch(deleteDraft.initiate({ id })).unwrap(),
  };
}

/** Classifies the error of a failed save, which decides whether it is retried. */
export function saveErrorOf(error: unknown): SaveError {
  if (!isApiError(error)) return { kind: 'passing' };
  const { status, code, message, facts = {}, retryAfter } = error;
  if (code === 'draft_changed')
    return {
      kind: 'changed',
      other: {
        version: Number(facts.version),
        updatedAt: String(facts.updatedAt),
        device: typeof facts.device === 'string' ? facts.device : null,
      },
    };
  if (code === 'draft_sent') return { kind: 'sent', sendId: String(facts.sendId), at: String(facts.sentAt) };
  if (code === 'draft_scheduled') return { kind: 'scheduled' };
  if (status === 404) return { kind: 'deleted' };
  const mayPass = status === 0 || status === 401 || status === 408 || status === 429 || status >= 500;
  return mayPass ? { kind: 'passing', waitSeconds: retryAfter } : { kind: 'refused', why: message };
}
