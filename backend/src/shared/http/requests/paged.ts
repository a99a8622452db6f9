import type { Request, Response } from 'express';

/** One page of a collection; `next` and `prev` are cursors. */
export interface Page<T> {
  rows: T[];
  total: number;
  /** True if counting stopped at `total` although more rows exist. */
  isTotalCapped?: boolean;
  next?: string | null;
  prev?: string | null;
}

/**
 * Sets X-Total-Count, X-Total-Capped if the count was capped, and Link (rel next/prev). Returns the rows. The handler
 * takes `@Res({ passthrough: true }) res` and returns this result.
 */
export function paged<T>(res: Response, page: Page<T>): T[] {
  setTotal(res, page);
  return pagedWithoutTotal(res, page);
}

/** Like paged, for a collection without a count. */
export function pagedWithoutTotal<T>(res: Response, page: Pick<Page<T>, 'rows' | 'next' | 'prev'>): T[] {
  const links = (['next', 'prev'] as const).flatMap((rel) => {
    const cursor = page[rel];
    return cursor ? [`<${withCursor(res.req as Request, cursor)}>; rel="${rel}"`] : [];
  });
  if (links.length > 0) res.setHeader('Link', links.join(', '));
  return page.rows;
}

/** Sets the headers for the number of rows. A capped total is a lower bound. */
export function setTotal(
  res: Response,
  { total, isTotalCapped }: Pick<Page<unknown>, 'total' | 'isTotalCapped'>,
): void {
  res.setHeader('X-Total-Count', String(total));
  if (isTotalCapped) res.setHeader('X-Total-Capped', 'true');
}

function withCursor(req: Request, cursor: string): string {
  const url = new URL(req.originalUrl, 'http://own.invalid');
  url.searchParams.set('cursor', cursor);
  return url.pathname + url.search;
}
