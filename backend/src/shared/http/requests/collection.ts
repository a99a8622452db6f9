import type { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { type Page, paged, setTotal } from './paged.js';
import { assertRoomForDownload, streamJsonArray } from '../responses/streams.js';

const PAGE_ROWS = 1000;

interface Query {
  limit?: number;
  cursor?: string;
}

type Limited<Q> = Q & { limit: number };

/**
 * Answers a collection with X-Total-Count. Answers one page if the query has a `limit`, else streams all rows.
 * @param page reads one page
 * @param all reads all rows with one query; without it, all rows are read page by page
 */
export async function collection<T, Q extends Query>(
  res: Response,
  query: Q,
  page: (query: Limited<Q>) => Promise<Page<T>>,
  all?: (query: Q) => AsyncIterable<T> | Promise<AsyncIterable<T>>,
): Promise<T[] | StreamableFile> {
  const { limit } = query;
  if (limit !== undefined) return paged(res, await page({ ...query, limit }));
  assertRoomForDownload(res);
  const first = await page({ ...query, limit: all ? 1 : PAGE_ROWS });
  const whole = all ? await all(query) : everyPage(first, (cursor) => page({ ...query, limit: PAGE_ROWS, cursor }));
  setTotal(res, first);
  return streamJsonArray(res, whole);
}

async function* everyPage<T>(first: Page<T>, read: (cursor: string) => Promise<Page<T>>): AsyncGenerator<T> {
  for (let part = first; ; part = await read(part.next!)) {
    yield* part.rows;
    if (!part.next) return;
  }
}
