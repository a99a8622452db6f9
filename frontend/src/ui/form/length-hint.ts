import { formatCount, plural } from '../../lib/format';

/** Shorter fields say nothing before they are full. */
const COUNTED_FROM = 100;
const NEAR = 0.9;

/** What the length of a text is worth saying: how much is too much, or how little is left. Text over the limit is kept, never cut. */
export function lengthHint(length: number, max: number): { error?: string; hint?: string } {
  if (length > max) return { error: `Too long by ${plural(length - max, 'character')}: at most ${formatCount(max)}` };
  return max >= COUNTED_FROM && length > max * NEAR ? { hint: `${plural(max - length, 'character')} left` } : {};
}
