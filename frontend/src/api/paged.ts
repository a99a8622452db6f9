import type { FetchBaseQueryMeta } from '@reduxjs/toolkit/query/react';

/** One page of a collection, with what its headers say. */
export interface Paged<Row> {
  rows: Row[];
  /** X-Total-Count: how many there are in all. */
  total: number;
  /** X-Total-Capped: there are more than `total`, the server stopped counting there. */
  isTotalCapped?: boolean;
  /** The cursor of the next page (Link rel="next"), or null on the last. */
  next: string | null;
}

/** The `cursor` parameter of the Link header's rel="next". */
export function nextCursor(link: string | null | undefined): string | null {
  for (const part of link?.split(/,\s*(?=<)/) ?? []) {
    const [, target, parameters = ''] = /^\s*<([^>]*)>(.*)$/.exec(part) ?? [];
    if (target === undefined || !/;\s*rel\s*=\s*"?next"?/i.test(parameters)) continue;
    return new URL(target, 'http://own.invalid').searchParams.get('cursor');
  }
  return null;
}

/** transformResponse of a collection: the array and its headers become one page. */
export function paged<Row>(rows: Row[], meta: FetchBaseQueryMeta | undefined): Paged<Row> {
  const headers = meta?.response?.headers;
  const total = Number(headers?.get('x-total-count') ?? Number.NaN);
  return { rows, total: Number.isFinite(total) ? total : rows.length, ...(headers?.get('x-total-capped') === 'true' && { isTotalCapped: true }), next: nextCursor(headers?.get('link')) };
}
