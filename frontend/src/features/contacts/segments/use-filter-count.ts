import { client } from '../../../api/client';
import type { SegmentCountDto } from '../../../api/endpoints.gen';
import { useDebounced } from '../../../lib/use-debounced';
import type { StoredFilter } from './filter';

const DEBOUNCE_MS = 400;

export interface FilterCount {
  count?: SegmentCountDto;
  error?: unknown;
  /** True until the count of the current filter arrives. */
  isWaiting: boolean;
  isFetching: boolean;
  retry: () => void;
}

/**
 * Counts a filter while it is edited. After an estimate it requests the exact number, which may take seconds.
 * @param filter null while it is incomplete
 */
export function useFilterCount(filter: StoredFilter | null): FilterCount {
  const filterJson = filter ? JSON.stringify(filter) : null;
  const debouncedJson = useDebounced(filterJson, DEBOUNCE_MS);
  const debouncedFilter = debouncedJson === null ? {} : (JSON.parse(debouncedJson) as Record<string, unknown>);
  const quick = client.useCountSegmentQuery(
    { countRequestDto: { filter: debouncedFilter } },
    { skip: debouncedJson === null },
  );
  const needsExact = quick.currentData?.approximate === true;
  const exact = client.useCountSegmentQuery(
    { countRequestDto: { filter: debouncedFilter, exact: true } },
    { skip: debouncedJson === null || !needsExact },
  );
  if (filterJson === null) return { isWaiting: false, isFetching: false, retry: () => undefined };
  const found = (needsExact && exact.currentData) || quick.currentData;
  const isCurrent = debouncedJson === filterJson && found !== undefined;
  return {
    count: found ?? quick.data,
    error: isCurrent ? undefined : quick.error,
    isWaiting: !isCurrent,
    isFetching: quick.isFetching,
    retry: () => void quick.refetch(),
  };
}
