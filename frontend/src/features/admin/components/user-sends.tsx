import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { formatCount, formatTotal, plural } from '../../../lib/format';
import { RelativeTime } from '../../../ui/relative-time';
import { QueryError } from '../../../ui/query-error';
import { StatusBadge } from '../../../ui/status-badge';
import { useSends } from '../api';
import { messages } from '../messages';

const SHOWN = 5;

/** The newest sends of an account. */
export function UserSends({ userId }: { userId: string }) {
  const query = useSends({ limit: SHOWN }, { userId });
  const { data, error } = query;
  if (error) return <QueryError query={query} text={messages.loadFailed} />;
  if (!data) return <Skeleton variant="rounded" height={60} />;
  if (data.rows.length === 0) return <Typography color="textSecondary">Nothing sent yet</Typography>;
  return (
    <>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1.25 }}>
        {data.rows.map((send) => (
          <Box component="li" key={send.id} sx={{ display: 'flex', gap: 1, justifyContent: 'space-between', alignItems: 'flex-start' }}>
            <Box sx={{ minWidth: 0 }}>
              <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
                {send.subject}
              </Typography>
              <Typography variant="caption" color="textSecondary">
                <RelativeTime iso={send.sentAt} />, {plural(send.recipientCount, 'recipient')}, {formatCount(send.bounced)} bounced
              </Typography>
            </Box>
            <StatusBadge status={send.status} />
          </Box>
        ))}
      </Box>
      {data.total > SHOWN && (
        <Typography variant="caption" color="textSecondary" sx={{ display: 'block', mt: 1 }}>
          The newest {SHOWN} of {formatTotal(data)}
        </Typography>
      )}
    </>
  );
}
