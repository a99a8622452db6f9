import type { TextPlace } from '../../../ui/editor/text-place';
import type { Draft } from '../draft';
import type { CheckItem } from './use-send-check';

/** The place of a finding, for a step that shows it when it is opened. */
export interface ShownPlace extends TextPlace {
  part: 'subject' | 'preheader' | 'content';
}

/** Place of a finding in the text as typed. The server counts characters after trimming spaces. */
export function placeOf({ where, fix }: CheckItem, draft: Pick<Draft, 'subject' | 'preheader'>): ShownPlace | null {
  if (!where) return null;
  const { part, from, to } = where;
  const line = part === 'content' ? '' : draft[part];
  const spaces = line.length - line.trimStart().length;
  return { part, from: from + spaces, to: to + spaces, opensTag: fix === 'addFallback' };
}

const stepOf = { subject: 1, preheader: 1, content: 2 } as const;
/** The step that contains the place. */
export const stepOfPlace = ({ part }: ShownPlace): number => stepOf[part];
