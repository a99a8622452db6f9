import { errorMessage } from '../api/api-error';
import { SectionError } from './section-error';

/** What a call that feeds a part of the screen says when it failed. */
export interface FailedQuery {
  error?: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

/** A part of the screen whose call failed: the server's words, else `text`, and Retry. */
export function QueryError({ query: { error, isFetching, refetch }, text }: { query: FailedQuery; text: string }) {
  return <SectionError message={errorMessage(error, text)} pending={isFetching} onRetry={() => void refetch()} />;
}
