import { useAddress, type AddressChange } from '../../lib/use-address';

export const PAGE_SIZES = [25, 50, 100] as const;

export interface GridSort {
  field: string;
  sort: 'asc' | 'desc';
}

/** The arguments of a paged query. */
export interface PageArgs {
  limit: number;
  cursor?: string;
  search?: string;
  sort?: string;
}

/** The values of each filter; the first one is the default. */
export type Filters = Record<string, readonly string[]>;

export interface ServerGrid<F extends Filters = Filters> {
  page: number;
  pageSize: number;
  search: string;
  sort: GridSort | null;
  filters: { [Name in keyof F]: F[Name][number] };
  /** Free values from the URL that match their patterns; '' otherwise. */
  values: Record<string, string>;
  /** Number of filters and free values that are set. */
  activeFilters: number;
  args: PageArgs;
  /** Goes to the next or previous page, by the cursor that the present page returned for it. */
  goToPage: (page: number, cursor: string | null, options?: { replace?: boolean }) => void;
  setPageSize: (size: number) => void;
  setSearch: (search: string) => void;
  setSort: (sort: GridSort | null) => void;
  setValue: (name: string, value: string) => void;
  setFilter: <Name extends keyof F & string>(name: Name, value: F[Name][number]) => void;
}

interface GridOptions<F extends Filters> {
  /** Prefix of the URL's parameters; needed when a screen has several grids. */
  name?: string;
  pageSize?: number;
  filters?: F;
  /** Free values such as days, each with the pattern that it has to match. */
  values?: Record<string, RegExp>;
}

/** Cursors of the pages before this one; page 0 has none. */
type Cursors = (string | null)[];

const MAX_SEARCH_LENGTH = 200;

/** Parses '-createdAt', the form of the URL and of the request. */
function readSort(text: string | null): GridSort | null {
  const [, down, field] = /^(-?)([A-Za-z]{1,40})$/.exec(text ?? '') ?? [];
  return field ? { field, sort: down ? 'desc' : 'asc' } : null;
}

const writeSort = (sort: GridSort | null) => (sort ? `${sort.sort === 'desc' ? '-' : ''}${sort.field}` : null);

/** Page, search, order and filters of a collection, all of them in the URL. Pages use cursors. */
export function useServerGrid<const F extends Filters = Record<never, never>>({
  name = '',
  pageSize: firstSize = 25,
  filters: choices,
  values: patterns = {},
}: GridOptions<F> = {}): ServerGrid<F> {
  const { params, state, write } = useAddress();
  const named = (key: string) => (name ? `${name}.${key}` : key);
  const read = (key: string) => params.get(named(key));
  const set = (change: AddressChange, options?: Parameters<typeof write>[1]) =>
    write(Object.fromEntries(Object.entries(change).map(([key, value]) => [named(key), value])), options);

  const cursor = read('cursor');
  const page = cursor ? Math.max(0, Number.parseInt(read('page') ?? '1', 10) - 1 || 0) : 0;
  const size = Number(read('rows'));
  const pageSize = PAGE_SIZES.find((known) => known === size) ?? firstSize;
  const search = (read('q') ?? '').slice(0, MAX_SEARCH_LENGTH);
  const sort = readSort(read('sort'));
  const filters = Object.fromEntries(
    Object.entries(choices ?? {}).map(([key, values]) => [
      key,
      values.find((value) => value === read(key)) ?? values[0],
    ]),
  );
  const values = Object.fromEntries(
    Object.entries(patterns).map(([key, pattern]) => [key, pattern.test(read(key) ?? '') ? read(key)! : '']),
  );
  const cursorsKey = named('cursors');
  const cursors = (Array.isArray(state[cursorsKey]) ? state[cursorsKey] : []) as Cursors;
  const firstPage = { page: null, cursor: null };

  return {
    page,
    pageSize,
    search,
    sort,
    filters: filters as ServerGrid<F>['filters'],
    values,
    activeFilters:
      Object.entries(choices ?? {}).filter(([key, [usual]]) => filters[key] !== usual).length +
      Object.values(values).filter(Boolean).length,
    args: {
      limit: pageSize,
      ...(page > 0 && cursor && { cursor }),
      ...(search && { search }),
      ...(sort && { sort: writeSort(sort) ?? undefined }),
    },
    goToPage: (to, given, { replace } = {}) => {
      const isForward = to > page;
      if (isForward && !given) return;
      const target = to <= 0 ? null : isForward ? given : (cursors[to] ?? given);
      const passed = Array.from({ length: page }, (_, index) => cursors[index] ?? null);
      set(target ? { page: String(to + 1), cursor: target } : firstPage, {
        replace,
        state: { [cursorsKey]: isForward ? [...passed, cursor] : cursors },
      });
    },
    setPageSize: (rows) => set({ ...firstPage, rows: rows === firstSize ? null : String(rows) }, { replace: true }),
    // Replaces the history entry: otherwise each pause in typing would be a step for Back.
    setSearch: (text) => set({ ...firstPage, q: text || null }, { replace: true }),
    setSort: (next) => set({ ...firstPage, sort: writeSort(next) }, { replace: true }),
    setValue: (key, value) => set({ ...firstPage, [key]: value || null }, { replace: true }),
    setFilter: (key, value) => set({ ...firstPage, [key]: value === choices?.[key]?.[0] ? null : value }),
  };
}
