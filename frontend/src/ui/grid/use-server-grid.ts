import { useState } from 'react';

export const PAGE_SIZES = [25, 50, 100] as const;

export interface GridSort {
  field: string;
  sort: 'asc' | 'desc';
}

/** What a paged call takes. */
export interface PageArgs {
  limit: number;
  cursor?: string;
  search?: string;
  sort?: string;
}

export interface ServerGrid {
  page: number;
  pageSize: number;
  search: string;
  sort: GridSort | null;
  args: PageArgs;
  /** Moves by one page; forwards needs the cursor the present page came with. */
  turn: (page: number, next: string | null) => void;
  setPageSize: (size: number) => void;
  setSearch: (search: string) => void;
  setSort: (sort: GridSort | null) => void;
}

interface Position {
  page: number;
  /** Cursor of each page seen so far; page 0 has none. Going back is answered from the cache. */
  cursors: (string | undefined)[];
}

const start: Position = { page: 0, cursors: [undefined] };

/** 'email' ascending, '-createdAt' descending. */
const toSort = (sort: GridSort | null) => (sort ? `${sort.sort === 'desc' ? '-' : ''}${sort.field}` : undefined);

/** Paging by cursors, sorting and search for a collection that lives on the server. `scope`: a change of it starts over. */
export function useServerGrid({ pageSize: firstSize = 25, sort: firstSort = null, scope = '' }: { pageSize?: number; sort?: GridSort | null; scope?: string } = {}): ServerGrid {
  const [pageSize, setPageSize] = useState(firstSize);
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<GridSort | null>(firstSort);
  const [position, setPosition] = useState(start);
  const [seenScope, setSeenScope] = useState(scope);
  if (scope !== seenScope) {
    setSeenScope(scope);
    setPosition(start);
  }
  const cursor = position.cursors[position.page];
  const afresh =
    <T>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      setPosition(start);
    };
  return {
    page: position.page,
    pageSize,
    search,
    sort,
    args: {
      limit: pageSize,
      ...(cursor && { cursor }),
      ...(search && { search }),
      ...(sort && { sort: toSort(sort) }),
    },
    turn: (page, next) =>
      setPosition((now) => {
        if (page === now.page + 1 && next) return { page, cursors: [...now.cursors.slice(0, page), next] };
        return page >= 0 && page < now.cursors.length ? { ...now, page } : now;
      }),
    setPageSize: afresh(setPageSize),
    setSearch: afresh(setSearch),
    setSort: afresh(setSort),
  };
}
