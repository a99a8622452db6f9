import { createHash } from 'node:crypto';
import { SEND_TYPE_OF_ROLE } from '../../shared/enums.js';
import type { RequestUser } from '../../shared/http/index.js';
import { isUuid } from '../../shared/text/formats.js';
import { audienceOf, unknownDraft } from '../composing/index.js';
import { unverified } from '../delivery/index.js';
import type { DailyLimit, Holds } from '../history/index.js';
import type { PlannedAudience } from './audience/chosen-audience.service.js';
import type { CheckedComposition, ComposedSend } from './composed-sends.service.js';
import type { SendEmailDto } from './send.dto.js';
import { badKey, roleNotAllowed, versionWithoutDraft } from './sending.errors.js';

/** A send that was checked and is ready to be accepted. */
export interface SendRequest {
  user: RequestUser;
  body: SendEmailDto;
  /** Identifies the request, so that its repetitions are recognised. */
  identity: RequestIdentity;
  contentHash: string;
  audience: PlannedAudience;
  limit: DailyLimit;
  /** Whether scheduled sends that are due today count towards the daily limit. */
  holds: Holds;
  composed: ComposedSend;
}

/** Tells a repeated request from a new one: by the draft, which is sent at most once, else by the Idempotency-Key. */
export interface RequestIdentity {
  draftId: string | null;
  /** Version of the draft that the sender has seen; null: any version. */
  draftVersion: number | null;
  /**
   * Whether a scheduled send makes the request. The draft of a scheduled send no longer exists, and its audience was
   * stored.
   */
  isPlanned?: boolean;
  /**
   * Whether the email was accepted earlier for a later time. Requirements that were introduced since then, such as a
   * business address, then do not block it.
   */
  isQueued?: boolean;
  key: string | null;
}

/** @throws 403 if the user's role may not send this type, or if the user's address is not verified */
export function assertMaySend(user: RequestUser, { emailType }: SendEmailDto): void {
  if (!user.isAdmin && SEND_TYPE_OF_ROLE[user.role] !== emailType) throw roleNotAllowed(emailType);
  if (!user.isVerified) throw unverified();
}

/** @throws 404 for a malformed draft id; 400 for a malformed key, and for a version without a draft */
export function readIdentity({ draftId, draftVersion }: SendEmailDto, key?: string): RequestIdentity {
  if (draftId === undefined) {
    if (draftVersion !== undefined) throw versionWithoutDraft();
    return { draftId: null, draftVersion: null, key: readKey(key) };
  }
  if (!isUuid(draftId)) throw unknownDraft();
  return { draftId: draftId.toLowerCase(), draftVersion: draftVersion ?? null, key: readKey(key) };
}

function readKey(key?: string): string | null {
  if (key === undefined) return null;
  if (!/^[\x20-\x7e]{1,255}$/.test(key) || key.trim() === '') throw badKey();
  return key;
}

/** SHA-256 of a message's content; does not depend on the recipients. */
export const compositionHash = ({
  subject,
  preheader,
  content,
  document,
  job,
  chosen,
  files,
}: CheckedComposition): Buffer =>
  createHash('sha256')
    .update(
      JSON.stringify([
        subject,
        preheader,
        content,
        document?.json ?? null,
        chosen,
        ...(job ? [{ job }] : []),
        ...(files.length > 0 ? [files] : []),
      ]),
    )
    .digest();

/**
 * SHA-256 of everything that a send contains. For a plain send, it covers the same parts as in earlier versions, so
 * that a request that is repeated after an update is recognised.
 */
export function hashOf(
  { emailType, emailListIds = [], ...given }: SendEmailDto,
  composition: CheckedComposition,
): string {
  const { subject, preheader, content, document, job, chosen, files } = composition;
  const ids = [...new Set(emailListIds.map((id) => id.toLowerCase()))].sort();
  const audience = audienceOf(given);
  const further =
    document || preheader || audience || chosen || job || files.length > 0 ? [preheader, document?.json ?? null] : [];
  return createHash('sha256')
    .update(
      JSON.stringify([
        emailType,
        ids,
        subject,
        content,
        ...further,
        ...(audience ? [audience] : []),
        ...(chosen ? [chosen] : []),
        ...(job ? [{ job }] : []),
        ...(files.length > 0 ? [{ files }] : []),
      ]),
    )
    .digest('hex');
}
