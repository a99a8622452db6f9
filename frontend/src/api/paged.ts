import type { FetchBaseQueryMeta } from '@reduxjs/toolkit/query/react';

/** One page of a collection, with the data of its headers. */
export interface Paged<Row> {
  rows: Row[];
  /** X-Total-Count: the number of rows on all pages. */
  total: number;
  /** X-Total-Capped: the server stopped counting at `total`; there are more rows. */
  isTotalCapped?: boolean;
  /** The cursor of the next page (Link rel="next"); null on the last. */
  next: string | null;
  /** The cursor of the previous page (Link rel="prev"); absent or null on the first. */
  prev?: string | null;
}

/** The `cursor` parameter of the Link header's target with this relation. */
export function linkCursor(link: string | null | undefined, relation: 'next' | 'prev'): string | null {
  for (const part of link?.split(/,\s*(?=<)/) ?? []) {
    const [, target, parameters = ''] = /^\s*<([^>]*)>(.*)$/.exec(part) ?? [];
    if (target === undefined || !new RegExp(`;\\s*rel\\s*=\\s*"?${relation}"?`, 'i').test(parameters)) continue;
    return new URL(target, 'http://own.invalid').searchParams.get('cursor');
  }
  return null;
}

/** The cursor of the next page. */
export const nextCursor = (link: string | null | undefined) => linkCursor(link, 'next');

/** Makes a page of a collection's array and headers. */
export function paged<Row>(rows: Row[], meta: FetchBaseQueryMeta | undefined): Paged<Row> {
  const headers = meta?.response?.headers;
  const total = Number(headers?.get('x-total-count') ?? Number.NaN);
  return {
    rows,
    total: Number.isFinite(total) ? total : rows.length,
    ...(headers?.get('x-total-capped') === 'true' && { isTotalCapped: true }),
    next: linkCursor(headers?.get('link'), 'next'),
    prev: linkCursor(headers?.get('link'), 'prev'),
  };
}
