import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { formatCount } from '../../../lib/format';
import { QueryError } from '../../../ui/query-error';
import { RelativeTime } from '../../../ui/relative-time';
import { useProviderRates, type ProviderRate } from '../api';
import { messages } from '../messages';
import { Facts } from './drawer-section';

const names: Record<string, string> = { google: 'Google', microsoft: 'Microsoft', yahoo: 'Yahoo', apple: 'Apple' };
const aSecond = (rate: number) => `${rate > 0 && rate < 0.95 ? Number(rate.toPrecision(2)) : formatCount(Math.round(rate))} a second`;

/** What goes to each mailbox provider, what holds it back and what waits for it. */
export function ProviderRates() {
  const query = useProviderRates();
  const { data, error, isFetching, refetch } = query;
  return (
    <Box component="section" aria-label="Mailbox providers" sx={{ mt: 3 }}>
      <Box sx={{ display: 'flex', gap: 1.5, flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', mb: 1.5 }}>
        <Typography variant="h3" component="h2">
          Mailbox providers
        </Typography>
        <Button size="small" variant="outlined" color="inherit" onClick={() => void refetch()} disabled={isFetching}>
          Refresh
        </Button>
      </Box>
      {error && !data && <QueryError query={query} text={messages.loadFailed} />}
      {data?.length === 0 && (
        <Typography variant="body2" color="textSecondary">
          No mail to a large provider in the last hour, and none waits.
        </Typography>
      )}
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))', xl: 'repeat(3, minmax(0, 1fr))' } }}>
        {data?.map((rate) => (
          <Paper key={`${rate.account} ${rate.provider}`} variant="outlined" component="article" aria-label={`${nameOf(rate)} by ${rate.account}`} sx={{ p: 2 }}>
            <Typography variant="subtitle1" component="h3" sx={{ overflowWrap: 'anywhere', mb: 1 }}>
              {nameOf(rate)}
            </Typography>
            <Facts facts={factsOf(rate)} />
          </Paper>
        ))}
      </Box>
    </Box>
  );
}

const nameOf = ({ provider }: ProviderRate) => names[provider] ?? provider;

function factsOf({ account, rateNow, perSecond, refusedLastHour, waiting, expectedEnd, pausedUntil, lastAnswer }: ProviderRate): [string, ReactNode][] {
  return [
    ['Mail account', account],
    ['Rate now', aSecond(rateNow)],
    ['Limit', perSecond === null ? 'None' : aSecond(perSecond)],
    ['Refused, last hour', formatCount(refusedLastHour)],
    ['Waiting', formatCount(waiting)],
    ...(expectedEnd ? ([['Expected end', <RelativeTime key="end" iso={expectedEnd} />]] as [string, ReactNode][]) : []),
    ...(pausedUntil ? ([['Paused', <RelativeTime key="paused" iso={pausedUntil} prefix="tries again" />]] as [string, ReactNode][]) : []),
    ...(lastAnswer && refusedLastHour > 0 ? ([['Last answer', lastAnswer]] as [string, ReactNode][]) : []),
  ];
}
