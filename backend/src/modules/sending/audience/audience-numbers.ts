import type { AudienceCounts } from '../../delivery/index.js';
import type { ExcludedDto } from '../send-preview.dto.js';
import type { PlannedAudience } from './chosen-audience.service.js';

/**
 * Whether people see rounded numbers. Exact numbers for the shared network, together with exclusions, would reveal
 * which people of a domain are members of the network.
 */
export const isRounded = ({ hasNetwork }: Pick<PlannedAudience, 'hasNetwork'>): boolean => hasNetwork;

/**
 * Recipient count with which a send to large plain lists is accepted: the sum of the lists' own counts. 0 if the lists
 * are small enough for their recipients to be counted.
 */
export function countOfLarge(lists: PlannedAudience['lists'], layOutAtOnce: number): number {
  const most = lists.reduce((sum, list) => sum + list.confirmedCount, 0);
  return most > layOutAtOnce ? most : 0;
}

/** Rounds down to a multiple of ten; 1 to 9 become 1. */
export const rounded = (n: number): number => (n === 0 ? 0 : n < 10 ? 1 : Math.floor(n / 10) * 10);

/** Numbers of people whom a send leaves out, by reason. */
export function excludedOf(counts: AudienceCounts, isRound: boolean): ExcludedDto {
  const { pending, otherType, suppressed, duplicates, leftOut } = counts;
  const numbers = { pending, otherType, suppressed, duplicates, ...leftOut };
  if (!isRound) return numbers;
  return Object.fromEntries(Object.entries(numbers).map(([reason, n]) => [reason, rounded(n)])) as typeof numbers;
}
