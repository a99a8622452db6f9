import { formatCount } from '../../../lib/format';
import { sizeText } from '../../../shared/files/file-words';
import type { ChosenFile } from './chosen-files';

/** What may be attached to an email, in bytes. */
export interface AttachmentLimits {
  /** To one message, whoever it goes to. */
  mostBytes: number;
  /** To all messages of a send together. */
  budgetBytes: number;
  /** To one message for the chosen recipients; undefined while that is not known. */
  nowBytes: number | undefined;
}

/** Bytes that would be attached if this file were too. */
export const attachedBytes = (
  files: readonly ChosenFile[],
  fileId: string,
  sizeOf: (fileId: string) => number,
): number =>
  files
    .filter((one) => one.as === 'attachment' || one.fileId === fileId)
    .reduce((sum, one) => sum + sizeOf(one.fileId), 0);

/** Why these bytes cannot be attached; null where they can. */
export function attachmentFault(bytes: number, { mostBytes, budgetBytes, nowBytes }: AttachmentLimits): string | null {
  if (nowBytes === undefined || bytes <= nowBytes) return null;
  const most = `Attached files: up to ${sizeText(mostBytes)} in all`;
  const recipients = Math.floor(budgetBytes / bytes);
  return bytes > mostBytes
    ? `${most}. Use links.`
    : `${most}, and ${formatCount(recipients)} recipients at this size. Use links.`;
}
