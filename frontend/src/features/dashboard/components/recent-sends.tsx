import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { plural } from '../../../lib/format';
import { historyEntryPath, routes } from '../../../lib/routes';
import { EmptyState } from '../../../ui/empty-state';
import { IconHistory } from '../../../ui/icons';
import { RelativeTime } from '../../../ui/relative-time';
import { SectionError } from '../../../ui/section-error';
import { RowSkeletons, Waiting } from '../../../ui/skeletons';
import { StatusBadge } from '../../../ui/status-badge';
import { useRecentSends, type RecentSend } from '../api';

/** The last few sends. */
export function RecentSends() {
  const { data, error, isFetching, refetch } = useRecentSends();
  return (
    <Box component="section" aria-label="Recent sends">
      <Box sx={{ display: 'flex', alignItems: 'baseline', justifyContent: 'space-between', gap: 2, mb: 1.25 }}>
        <Typography variant="h2">Recent sends</Typography>
        {data && data.rows.length > 0 && (
          <Link component={RouterLink} to={routes.history.path} variant="body2">
            All history
          </Link>
        )}
      </Box>
      {error && <SectionError message="Your recent sends could not be loaded." pending={isFetching} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Waiting label="Loading recent sends">
          <RowSkeletons height={60} />
        </Waiting>
      )}
      {data && !error && (
        <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
          {data.rows.length === 0 ? (
            <EmptyState dense icon={IconHistory} title="Nothing sent yet" text="Create a list, add contacts, and write to those who confirm." />
          ) : (
            data.rows.map((send, index) => <Row key={send.id} send={send} first={index === 0} />)
          )}
        </Paper>
      )}
    </Box>
  );
}

function Row({ send, first }: { send: RecentSend; first: boolean }) {
  return (
    <Box
      component={RouterLink}
      to={historyEntryPath(send.id)}
      sx={{
        display: 'grid', alignItems: 'center', columnGap: 2, rowGap: 0.75, px: 2, py: 1.5, color: 'inherit', textDecoration: 'none', borderTop: first ? 0 : 1, borderColor: 'surface.line',
        gridTemplateColumns: { xs: '1fr auto', md: 'minmax(0, 1fr) 120px 140px 110px' }, '&:hover': { bgcolor: 'surface.raised' }, '&:focus-visible': { outlineOffset: -2 },
      }}
    >
      <Typography component="span" noWrap sx={{ fontWeight: 560, gridColumn: { xs: '1 / -1', md: 'auto' } }}>
        {send.subject}
      </Typography>
      <Typography component="span" variant="body2" color="textSecondary" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        {plural(send.recipientCount, 'recipient')}
      </Typography>
      <Typography component="span" variant="body2" color="textSecondary" sx={{ display: { xs: 'none', md: 'block' } }}>
        <RelativeTime iso={send.sentAt} />
      </Typography>
      <Box sx={{ justifySelf: 'end' }}>
        <StatusBadge status={send.status} />
      </Box>
    </Box>
  );
}
