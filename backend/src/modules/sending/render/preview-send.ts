import type { RequestUser } from '../../../shared/http/index.js';
import { type ComposedMessage, LIST_NAME, type TagPiece } from '../../../shared/merge-tags/pieces.js';
import type { TagValues } from '../../../shared/merge-tags/values.js';
import type { ComposableSend } from '../../delivery/index.js';

/** Converts a user's composition to the composer's input, to show its message without sending it. */
export function previewSend(
  user: RequestUser,
  parts: { subject: string; content: string; senderAddress: string | null; message: ComposedMessage | null },
  now: Date,
): ComposableSend {
  return {
    id: 'preview',
    userId: user.id,
    sentAt: now,
    senderName: `${user.firstName} ${user.lastName}`,
    senderAgency: user.agencyName,
    replyTo: user.email,
    ...parts,
  };
}

const SAMPLE: Readonly<Record<string, string>> = {
  first_name: 'Priya',
  last_name: 'Patel',
  full_name: 'Priya Patel',
  company: 'Acme Staffing',
  email: 'priya@acme.example',
};

/**
 * Values of a made-up recipient, who is shown instead of a network member, because members' data must stay hidden.
 * Custom fields get their fallback.
 */
export function sampleValues(tags: readonly TagPiece[]): TagValues {
  const known = tags.filter(({ tag }) => tag !== LIST_NAME && Object.hasOwn(SAMPLE, tag));
  return new Map(known.map(({ tag }) => [tag, SAMPLE[tag]!]));
}
