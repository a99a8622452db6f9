import type { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { type Page, paged, setTotal } from './paged.js';
import { streamJsonArray } from './streams.js';

const PART = 1000;

interface Query {
  limit?: number;
  cursor?: string;
}

type Limited<Q> = Q & { limit: number };

/**
 * A collection with its X-Total-Count: one page where `limit` is given, else the whole, streamed.
 * @param all reads the whole at one go; without it the whole is read page by page
 */
export async function collection<T, Q extends Query>(
  res: Response, query: Q, page: (query: Limited<Q>) => Promise<Page<T>>, all?: (query: Q) => AsyncIterable<T> | Promise<AsyncIterable<T>>,
): Promise<T[] | StreamableFile> {
  const { limit } = query;
  if (limit !== undefined) return paged(res, await page({ ...query, limit }));
  const first = await page({ ...query, limit: all ? 1 : PART });
  const whole = all ? await all(query) : everyPage(first, (cursor) => page({ ...query, limit: PART, cursor }));
  setTotal(res, first);
  return streamJsonArray(whole);
}

async function* everyPage<T>(first: Page<T>, read: (cursor: string) => Promise<Page<T>>): AsyncGenerator<T> {
  for (let part = first; ; part = await read(part.next!)) {
    yield* part.rows;
    if (!part.next) return;
  }
}
