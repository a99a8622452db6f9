import type { ReactNode } from 'react';
import type { Paged } from '../../api/paged';
import { shownData } from '../loading/data-age';
import { SectionError } from '../loading/section-error';
import { LoadingRegion } from '../loading/skeletons';
import { Pager } from './pager';
import type { PageQuery } from './server-data-grid';
import type { ServerGrid } from './use-server-grid';

interface PagedItemsProps<Row> {
  /** What the items are, such as "drafts". */
  label: string;
  grid: ServerGrid;
  query: PageQuery<Row>;
  /** Shown when the first load failed. */
  failedText: string;
  /** Shown during the first load. */
  skeletons: ReactNode;
  children: (page: Paged<Row>) => ReactNode;
}

/** One page of items that are shown as cards or lines instead of a grid, with their loading, failure and pager. */
export function PagedItems<Row>({ label, grid, query, failedText, skeletons, children }: PagedItemsProps<Row>) {
  const { error, isFetching, refetch, currentData } = query;
  const page = shownData(query);
  const hasFailed = Boolean(error);
  return (
    <>
      {hasFailed && !page && <SectionError message={failedText} pending={isFetching} onRetry={() => void refetch()} />}
      {!hasFailed && !page && <LoadingRegion label={`Loading ${label}`}>{skeletons}</LoadingRegion>}
      {page && children(page)}
      {page && <Pager label={label} grid={grid} page={page} loading={isFetching && !currentData} fixedSize />}
    </>
  );
}
