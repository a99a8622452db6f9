import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { formatAgo } from '../../lib/format';
import { useNow } from '../../lib/use-now';
import { IconAlert, IconRetry } from '../icons';
import { Tooltip } from '../tooltip';
import { VisuallyHidden } from '../visually-hidden';
import type { FailedQuery } from './section-error';

const AGE_REFRESH_MS = 30_000;

/** A query whose data is shown, as its hook returns it. */
export interface ShownQuery<Data = unknown> extends FailedQuery {
  data?: Data;
  /** The data for the present arguments; `data` may still belong to the previous ones. */
  currentData?: Data;
  /** When the data was loaded (Date.now()). */
  fulfilledTimeStamp?: number;
}

/** The data to show. After a failed refetch the loaded data stays, unless the arguments have changed. */
export const shownData = <Data,>({ error, data, currentData }: ShownQuery<Data>): Data | undefined =>
  error ? currentData : data;

/** 'just now' within the first minute. */
function ageOf(at: number, now: number): string {
  return now - at < 60_000 ? 'just now' : formatAgo(new Date(at).toISOString());
}

/** The age of the data and a refresh button. @param what names the data for screen readers: 'contacts' */
export function DataAge({ query, name: what }: { query: ShownQuery; name: string }) {
  const now = useNow(AGE_REFRESH_MS);
  const { fulfilledTimeStamp, isFetching, refetch } = query;
  if (!fulfilledTimeStamp) return null;
  return (
    <Stack direction="row" sx={{ alignItems: 'center', gap: 0.25, color: 'text.secondary', flexShrink: 0 }}>
      <Typography variant="caption" noWrap>
        Updated {ageOf(fulfilledTimeStamp, Math.max(now, fulfilledTimeStamp))}
      </Typography>
      <Tooltip title="Refresh">
        <IconButton
          size="small"
          aria-label={`Refresh ${what}`}
          aria-busy={isFetching || undefined}
          onClick={() => void refetch()}
        >
          <IconRetry size={15} aria-hidden />
        </IconButton>
      </Tooltip>
    </Stack>
  );
}

/** A warning above data whose refetch failed. Renders nothing otherwise. */
export function RefreshFailed({ query }: { query: ShownQuery }) {
  const now = useNow(AGE_REFRESH_MS);
  const { error, currentData, fulfilledTimeStamp, isFetching, refetch } = query;
  if (!error || currentData === undefined) return null;
  return (
    // The box as a whole is not an alert, because the growing age would be read out again and again.
    <Alert
      role="none"
      severity="warning"
      icon={<IconAlert size={18} aria-hidden />}
      sx={{ py: 0, mb: 1.5, alignItems: 'center' }}
      action={
        <Button size="small" color="inherit" loading={isFetching} onClick={() => void refetch()}>
          Retry
        </Button>
      }
    >
      Could not refresh.
      {fulfilledTimeStamp ? ` This was loaded ${ageOf(fulfilledTimeStamp, Math.max(now, fulfilledTimeStamp))}.` : ''}
      <span role="status">
        <VisuallyHidden>The refresh failed.</VisuallyHidden>
      </span>
    </Alert>
  );
}
