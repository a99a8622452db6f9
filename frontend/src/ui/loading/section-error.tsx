import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { errorMessage } from '../../api/api-error';
import { IconError, IconRetry } from '../icons';

/** The error of a section that failed to load, with Retry. */
export function SectionError({
  message,
  onRetry,
  pending,
}: {
  message: string;
  onRetry: () => void;
  pending?: boolean;
}) {
  return (
    <Alert
      severity="error"
      icon={<IconError size={18} aria-hidden />}
      action={
        <Button
          size="small"
          color="inherit"
          onClick={onRetry}
          loading={pending}
          loadingPosition="start"
          startIcon={<IconRetry size={14} aria-hidden />}
        >
          Retry
        </Button>
      }
    >
      {message}
    </Alert>
  );
}

/** The part of a query's state that its error display needs. */
export interface FailedQuery {
  error?: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

/** The error of a section whose query failed: the server's text, or `text` if it sent none. */
export function QueryError({ query: { error, isFetching, refetch }, text }: { query: FailedQuery; text: string }) {
  return <SectionError message={errorMessage(error, text)} pending={isFetching} onRetry={() => void refetch()} />;
}
