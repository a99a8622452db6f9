import { invalid } from '../../errors/app-error.js';

/** Reads a cursor that is a number: a row's position in its collection, or an offset. 0 without one. @throws 400 */
export function positionOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,9}$/.test(cursor)) throw invalid('cursor', 'The cursor is not valid');
  return Number(cursor);
}
