import type { TextPlace } from '../../../ui/editor/text-place';
import type { CheckItem } from './use-send-check';

/** The place of a finding that a step shows when it is opened. */
export interface ShownPlace extends TextPlace {
  part: 'subject' | 'preheader' | 'content';
}

export const placeOf = ({ where, fix }: CheckItem): ShownPlace | null =>
  where ? { ...where, opensTag: fix === 'addFallback' } : null;

const stepOf = { subject: 1, preheader: 1, content: 2 } as const;
/** The step that holds it. */
export const stepOfPlace = ({ part }: ShownPlace): number => stepOf[part];
