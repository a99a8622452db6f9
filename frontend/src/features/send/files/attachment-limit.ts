import { formatCount } from '../../../lib/format';
import { sizeText } from '../../../shared/files/file-words';
import type { ChosenFile } from './chosen-files';

/** Limits for files attached to an email, in bytes. */
export interface AttachmentLimits {
  /** For one message, independently of the number of recipients. */
  mostBytes: number;
  /** For all messages of a send together. */
  budgetBytes: number;
  /** For one message to the chosen recipients; undefined while it is unknown. */
  nowBytes: number | undefined;
}

/** Total bytes of attached files if this file were attached too. */
export const attachedBytes = (
  files: readonly ChosenFile[],
  fileId: string,
  sizeOf: (fileId: string) => number,
): number =>
  files
    .filter((one) => one.as === 'attachment' || one.fileId === fileId)
    .reduce((sum, one) => sum + sizeOf(one.fileId), 0);

/** Why this many bytes cannot be attached, as text; null where they can. */
export function attachmentFault(bytes: number, { mostBytes, budgetBytes, nowBytes }: AttachmentLimits): string | null {
  if (nowBytes === undefined || bytes <= nowBytes) return null;
  const most = `Attached files: up to ${sizeText(mostBytes)} in all`;
  const recipients = Math.floor(budgetBytes / bytes);
  return bytes > mostBytes
    ? `${most}. Use links.`
    : `${most}, and ${formatCount(recipients)} recipients at this size. Use links.`;
}
