import type { Request, Response } from 'express';

/** One page of a collection; `next` and `prev` are cursors. */
export interface Page<T> {
  rows: T[];
  total: number;
  next?: string | null;
  prev?: string | null;
}

/**
 * Sets X-Total-Count and Link (rel next/prev) and hands back the rows.
 * The handler takes `@Res({ passthrough: true }) res` and returns what this returns.
 */
export function paged<T>(res: Response, page: Page<T>): T[] {
  const links = (['next', 'prev'] as const).flatMap((rel) => {
    const cursor = page[rel];
    return cursor ? [`<${withCursor(res.req as Request, cursor)}>; rel="${rel}"`] : [];
  });
  res.setHeader('X-Total-Count', String(page.total));
  if (links.length > 0) res.setHeader('Link', links.join(', '));
  return page.rows;
}

function withCursor(req: Request, cursor: string): string {
  const url = new URL(req.originalUrl, 'http://own.invalid');
  url.searchParams.set('cursor', cursor);
  return url.pathname + url.search;
}
