import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { client } from '../../../api/client';
import { formatCount } from '../../../lib/format';
import { QueryError } from '../../../ui/loading/section-error';
import { messages } from '../messages';

/** Today's counts over all users. */
export function TodayNumbers() {
  const query = client.useGetOverviewQuery();
  const { data, error } = query;
  if (error && !data) {
    return (
      <Box sx={{ mb: 2 }}>
        <QueryError query={query} text={messages.loadFailed} />
      </Box>
    );
  }
  const today = data?.today;
  const numbers = [
    ['Sends today', today?.sends],
    ['Senders', today?.senders],
    ['Recipients', today?.recipients],
    ['Accepted', today?.sent],
    ['Failed', today?.failed],
    ['Bounced', today?.bounced],
    ['Complaints', today?.complained],
  ] as const;
  return (
    <Paper variant="outlined" component="section" aria-label="Today over all users" sx={{ p: 2, mb: 2 }}>
      <Box
        component="dl"
        sx={{
          m: 0,
          display: 'grid',
          gap: 2,
          gridTemplateColumns: {
            xs: 'repeat(2, minmax(0, 1fr))',
            sm: 'repeat(4, minmax(0, 1fr))',
            lg: 'repeat(7, minmax(0, 1fr))',
          },
        }}
      >
        {numbers.map(([name, value]) => (
          <Box key={name} sx={{ display: 'flex', flexDirection: 'column' }}>
            <Typography component="dt" variant="body2" color="textSecondary">
              {name}
            </Typography>
            <Typography component="dd" variant="h2" sx={{ m: 0, fontVariantNumeric: 'tabular-nums' }}>
              {value === undefined ? <Skeleton width={48} /> : formatCount(value)}
            </Typography>
          </Box>
        ))}
      </Box>
    </Paper>
  );
}
