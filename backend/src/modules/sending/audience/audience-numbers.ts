import type { AudienceCounts } from '../../delivery/index.js';
import type { ExcludedDto } from '../send-preview.dto.js';
import type { PlannedAudience } from './chosen-audience.service.js';

/**
 * Whether numbers are rounded. With exclusions beside the shared network, exact numbers would reveal who of a domain is
 * on the network.
 */
export const isRounded = ({ hasNetwork }: Pick<PlannedAudience, 'hasNetwork'>): boolean => hasNetwork;

/** For large plain lists the sum of their own counts, by which their send is accepted; 0 for others. */
export function countOfLarge(lists: PlannedAudience['lists'], layOutAtOnce: number): number {
  const most = lists.reduce((sum, list) => sum + list.confirmedCount, 0);
  return most > layOutAtOnce ? most : 0;
}

/** Rounds down to tens; 1 to 9 become 1. */
export const rounded = (n: number): number => (n === 0 ? 0 : n < 10 ? 1 : Math.floor(n / 10) * 10);

/** Numbers of people who do not get a send, by reason. */
export function excludedOf(counts: AudienceCounts, isRound: boolean): ExcludedDto {
  const { pending, otherType, suppressed, duplicates, leftOut } = counts;
  const numbers = { pending, otherType, suppressed, duplicates, ...leftOut };
  if (!isRound) return numbers;
  return Object.fromEntries(Object.entries(numbers).map(([reason, n]) => [reason, rounded(n)])) as typeof numbers;
}
