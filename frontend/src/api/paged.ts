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
  /** The cursor of the page before (Link rel="prev"); absent or null on the first. */
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

/** The cursor of the page after. */
export const nextCursor = (link: string | null | undefined) => linkCursor(link, 'next');

/** transformResponse of a collection: the array and its headers become one page. */
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
