import type { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { type Page, paged, streamJsonArray } from '../../shared/http/index.js';

const PART = 1000;

/** A collection as decisions.md D31 has it: one page where `limit` is given, else the whole, read part by part while it is streamed. */
export async function collection<T, Q extends { limit?: number; cursor?: string }>(res: Response, query: Q, read: (query: Q) => Promise<Page<T>>): Promise<T[] | StreamableFile> {
  if (query.limit !== undefined) return paged(res, await read(query));
  const first = await read({ ...query, limit: PART });
  return streamJsonArray(res, (async function* () {
    for (let part = first; ; part = await read({ ...query, limit: PART, cursor: part.next! })) {
      yield* part.rows;
      if (!part.next) return;
    }
  })(), { total: first.total });
}
