import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { formatAgo } from '../lib/format';
import { Hint } from './hint';
import { IconRetry, IconAlert } from './icons';
import type { FailedQuery } from './query-error';

/** A call whose answer is shown, as its hook reports it. */
export interface ShownQuery<Data = unknown> extends FailedQuery {
  data?: Data;
  /** The answer to the present question; `data` may still be that to the one before. */
  currentData?: Data;
  /** When it was answered (Date.now()). */
  fulfilledTimeStamp?: number;
}

/**
 * What may be shown of a call: an answer that is there stays when asking again failed, but not where the question has changed since.
 */
export const shownData = <Data,>({ error, data, currentData }: ShownQuery<Data>): Data | undefined => (error ? currentData : data);

/** 'just now' within the first minute. */
function ageOf(at: number, now: number): string {
  return now - at < 60_000 ? 'just now' : formatAgo(new Date(at).toISOString());
}

function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** How old is what is shown, and a button that asks again. `what` names it for readers: 'contacts'. */
export function Freshness({ query, what }: { query: ShownQuery; what: string }) {
  const now = useNow(30_000);
  const { fulfilledTimeStamp, isFetching, refetch } = query;
  if (!fulfilledTimeStamp) return null;
  return (
    <Stack direction="row" sx={{ alignItems: 'center', gap: 0.25, color: 'text.secondary', flexShrink: 0 }}>
      <Typography variant="caption" noWrap>
        Updated {ageOf(fulfilledTimeStamp, Math.max(now, fulfilledTimeStamp))}
      </Typography>
      <Hint title="Refresh">
        <IconButton size="small" aria-label={`Refresh ${what}`} aria-busy={isFetching || undefined} onClick={() => void refetch()}>
          <IconRetry size={15} aria-hidden />
        </IconButton>
      </Hint>
    </Stack>
  );
}

/** A line over rows that stand although asking again failed; nothing where there is no such failure. */
export function RefreshFailed({ query }: { query: ShownQuery }) {
  const now = useNow(30_000);
  const { error, currentData, fulfilledTimeStamp, isFetching, refetch } = query;
  if (!error || currentData === undefined) return null;
  return (
    <Alert
      severity="warning"
      icon={<IconAlert size={18} aria-hidden />}
      sx={{ py: 0, mb: 1.5, alignItems: 'center' }}
      action={
        <Button size="small" color="inherit" loading={isFetching} onClick={() => void refetch()}>
          Retry
        </Button>
      }
    >
      Could not refresh.{fulfilledTimeStamp ? ` This was loaded ${ageOf(fulfilledTimeStamp, Math.max(now, fulfilledTimeStamp))}.` : ''}
    </Alert>
  );
}
