import type { TextPlace } from '../../../ui/editor/text-place';
import type { Draft } from '../draft';
import type { CheckItem } from './use-send-check';

/**
 * The part of the message that a finding is about, and the range in that part. The step with this part shows the range
 * when it is opened. All findings about files have the same place.
 */
export interface FindingPlace extends TextPlace {
  part: 'subject' | 'preheader' | 'content' | 'files';
}

const FILES: FindingPlace = { part: 'files', from: 0, to: 0 };

/** Whether a finding is about the files of the message. */
export const isOfFiles = ({ code }: Pick<CheckItem, 'code'>): boolean => /^(?:files?_|attachments$)/.test(code);

/**
 * Place of a finding in the text as typed. The server counts characters after trimming spaces.
 * @returns null if the server names no place
 */
export function placeOf(item: CheckItem, draft: Pick<Draft, 'subject' | 'preheader'>): FindingPlace | null {
  const { where, fix } = item;
  if (isOfFiles(item)) return FILES;
  if (!where) return null;
  const { part, from, to } = where;
  const line = part === 'content' ? '' : draft[part];
  const spaces = line.length - line.trimStart().length;
  return { part, from: from + spaces, to: to + spaces, opensTag: fix === 'addFallback' };
}

const stepOf = { subject: 1, preheader: 1, content: 2, files: 2 } as const;
/** The step with this part of the message. */
export const stepOfPlace = ({ part }: FindingPlace): number => stepOf[part];
