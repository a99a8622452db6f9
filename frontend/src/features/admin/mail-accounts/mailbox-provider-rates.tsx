import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { client } from '../../../api/client';
import { formatCount } from '../../../lib/format';
import { Facts, type Fact } from '../../../ui/facts';
import { QueryError } from '../../../ui/loading/section-error';
import { RelativeTime } from '../../../ui/relative-time';
import type { MailboxProviderRate } from '../api';
import { messages } from '../messages';

const names: Record<string, string> = { google: 'Google', microsoft: 'Microsoft', yahoo: 'Yahoo', apple: 'Apple' };
const perSecondText = (rate: number) =>
  `${rate > 0 && rate < 0.95 ? Number(rate.toPrecision(2)) : formatCount(Math.round(rate))} a second`;

/** The rate, the limit and the backlog of each mailbox provider. */
export function MailboxProviderRates() {
  const query = client.useListProviderRatesQuery();
  const { data, error, isFetching, refetch } = query;
  return (
    <Box component="section" aria-label="Mailbox providers" sx={{ mt: 3 }}>
      <Box
        sx={{
          display: 'flex',
          gap: 1.5,
          flexWrap: 'wrap',
          alignItems: 'center',
          justifyContent: 'space-between',
          mb: 1.5,
        }}
      >
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
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: {
            xs: 'minmax(0, 1fr)',
            md: 'repeat(2, minmax(0, 1fr))',
            xl: 'repeat(3, minmax(0, 1fr))',
          },
        }}
      >
        {data?.map((rate) => (
          <Paper
            key={`${rate.account} ${rate.provider}`}
            variant="outlined"
            component="article"
            aria-label={`${nameOf(rate)} by ${rate.account}`}
            sx={{ p: 2 }}
          >
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

const nameOf = ({ provider }: MailboxProviderRate) => names[provider] ?? provider;

function factsOf({
  account,
  rateNow,
  perSecond,
  refusedLastHour,
  waiting,
  expectedEnd,
  pausedUntil,
  lastAnswer,
}: MailboxProviderRate): Fact[] {
  const facts: (Fact | false)[] = [
    ['Mail account', account],
    ['Rate now', perSecondText(rateNow)],
    ['Limit', perSecond === null ? 'None' : perSecondText(perSecond)],
    ['Refused, last hour', formatCount(refusedLastHour)],
    ['Waiting', formatCount(waiting)],
    Boolean(expectedEnd) && ['Expected end', <RelativeTime key="end" iso={expectedEnd ?? ''} />],
    Boolean(pausedUntil) && ['Paused', <RelativeTime key="paused" iso={pausedUntil ?? ''} prefix="tries again" />],
    Boolean(lastAnswer) && refusedLastHour > 0 && ['Last answer', lastAnswer],
  ];
  return facts.filter((fact) => fact !== false);
}
