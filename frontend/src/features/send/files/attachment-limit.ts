import { formatCount } from '../../../lib/format';
import { sizeText } from '../../../shared/files/file-texts';
import type { ChosenFile } from './chosen-files';

/** Limits for files attached to an email, in bytes. */
export interface AttachmentLimits {
  /** Limit for one message, independent of the number of recipients. */
  maxBytes: number;
  /** Limit for all messages of a send together. */
  budgetBytes: number;
  /** Limit for one message to the chosen recipients; undefined while it is unknown. */
  allowedBytes: number | undefined;
}

/** Total bytes of attached files if this file were attached too. */
export const bytesIfAttached = (
  files: readonly ChosenFile[],
  fileId: string,
  sizeOf: (fileId: string) => number,
): number =>
  files
    .filter((one) => one.as === 'attachment' || one.fileId === fileId)
    .reduce((sum, one) => sum + sizeOf(one.fileId), 0);

/**
 * Why this many bytes cannot be attached, as text.
 * @returns null if they can, or while the limit is unknown
 */
export function attachmentFault(
  bytes: number,
  { maxBytes, budgetBytes, allowedBytes }: AttachmentLimits,
): string | null {
  if (allowedBytes === undefined || bytes <= allowedBytes) return null;
  const most = `Attached files: up to ${sizeText(maxBytes)} in all`;
  const recipients = Math.floor(budgetBytes / bytes);
  return bytes > maxBytes
    ? `${most}. Use links.`
    : `${most}, and ${formatCount(recipients)} recipients at this size. Use links.`;
}
