import { useEffect, useState } from 'react';
import { client } from '../../../api/client';
import type { SegmentCountDto } from '../../../api/endpoints.gen';
import type { StoredFilter } from './filter';

const DEBOUNCE_MS = 400;

export interface LiveCount {
  count?: SegmentCountDto;
  error?: unknown;
  /** The count of the current filter has not arrived yet. */
  isWaiting: boolean;
  isFetching: boolean;
  retry: () => void;
}

/**
 * Counts a filter while it is edited. After an estimate it requests the exact number, which may take seconds.
 * @param filter null: not complete yet
 */
export function useLiveCount(filter: StoredFilter | null): LiveCount {
  const wanted = filter ? JSON.stringify(filter) : null;
  const [settled, setSettled] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wanted), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const given = settled === null ? {} : (JSON.parse(settled) as Record<string, unknown>);
  const quick = client.useCountSegmentQuery({ countRequestDto: { filter: given } }, { skip: settled === null });
  const needsExact = quick.currentData?.approximate === true;
  const exact = client.useCountSegmentQuery(
    { countRequestDto: { filter: given, exact: true } },
    { skip: settled === null || !needsExact },
  );
  if (wanted === null) return { isWaiting: false, isFetching: false, retry: () => undefined };
  const found = (needsExact && exact.currentData) || quick.currentData;
  const isCurrent = settled === wanted && found !== undefined;
  return {
    count: found ?? quick.data,
    error: isCurrent ? undefined : quick.error,
    isWaiting: !isCurrent,
    isFetching: quick.isFetching,
    retry: () => void quick.refetch(),
  };
}
