import type { Request, Response } from 'express';

/** One page of a collection; `next` and `prev` are cursors. */
export interface Page<T> {
  rows: T[];
  total: number;
  /** There are more than `total`: counting stopped there. */
  isTotalCapped?: boolean;
  next?: string | null;
  prev?: string | null;
}

/**
 * Sets X-Total-Count, X-Total-Capped where there are more than that, and Link (rel next/prev), and hands back the rows.
 * The handler takes `@Res({ passthrough: true }) res` and returns what this returns.
 */
export function paged<T>(res: Response, page: Page<T>): T[] {
  const links = (['next', 'prev'] as const).flatMap((rel) => {
    const cursor = page[rel];
    return cursor ? [`<${withCursor(res.req as Request, cursor)}>; rel="${rel}"`] : [];
  });
  setTotal(res, page);
  if (links.length > 0) res.setHeader('Link', links.join(', '));
  return page.rows;
}

/** The headers that say how many rows a collection has; a capped total is a lower bound. */
export function setTotal(res: Response, { total, isTotalCapped }: Pick<Page<unknown>, 'total' | 'isTotalCapped'>): void {
  res.setHeader('X-Total-Count', String(total));
  if (isTotalCapped) res.setHeader('X-Total-Capped', 'true');
}

function withCursor(req: Request, cursor: string): string {
  const url = new URL(req.originalUrl, 'http://own.invalid');
  url.searchParams.set('cursor', cursor);
  return url.pathname + url.search;
}
