/** A job's share of a send: the rows at these positions. */
export interface Range {
  sendId: string;
  from: number;
  to: number;
}

/** Cuts the positions 1 … count into ranges. */
export function rangesOf(sendId: string, count: number, size: number): Range[] {
  return Array.from({ length: Math.ceil(count / size) }, (_, chunk) => rangeAt(sendId, chunk, size));
}

/** The range with this number, from 0. */
export function rangeAt(sendId: string, chunk: number, size: number): Range {
  return { sendId, from: chunk * size + 1, to: (chunk + 1) * size };
}

/**
 * Name of the job for a range. With the highest attempt among its due rows in it, a second job for the same work is
 * ignored while the first still waits, and one for a later try is not.
 */
export const rangeJobId = (range: Range, attempt: number): string => `${range.sendId}:${range.from}:${attempt}`;
