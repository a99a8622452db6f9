import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { client } from '../../../api/client';
import { formatCount, formatTotal, plural } from '../../../lib/format';
import { QueryError } from '../../../ui/loading/section-error';
import { RelativeTime } from '../../../ui/relative-time';
import { StatusBadge } from '../../../ui/status-badge';
import { messages } from '../messages';

const SENDS_SHOWN = 5;

/** The newest sends of an account. */
export function UserSends({ userId }: { userId: string }) {
  const query = client.useListSendsQuery({ limit: SENDS_SHOWN, userId });
  const { data, error } = query;
  if (error) return <QueryError query={query} text={messages.loadFailed} />;
  if (!data) return <Skeleton variant="rounded" height={60} />;
  if (data.rows.length === 0) return <Typography color="textSecondary">Nothing sent yet</Typography>;
  return (
    <>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1.25 }}>
        {data.rows.map((send) => (
          <Box
            component="li"
            key={send.id}
            sx={{ display: 'flex', gap: 1, justifyContent: 'space-between', alignItems: 'flex-start' }}
          >
            <Box sx={{ minWidth: 0 }}>
              <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
                {send.subject}
              </Typography>
              <Typography variant="caption" color="textSecondary">
                <RelativeTime iso={send.sentAt} />, {plural(send.recipientCount, 'recipient')},{' '}
                {formatCount(send.bounced)} bounced
              </Typography>
            </Box>
            <StatusBadge status={send.status} />
          </Box>
        ))}
      </Box>
      {data.total > SENDS_SHOWN && (
        <Typography variant="caption" color="textSecondary" sx={{ display: 'block', mt: 1 }}>
          The newest {SENDS_SHOWN} of {formatTotal(data)}
        </Typography>
      )}
    </>
  );
}

const EVENTS_SHOWN = 10;

/** The newest activity of an account, with the person who did it. */
export function UserActivity({ userId }: { userId: string }) {
  const query = client.useListAllAuditEventsQuery({ limit: EVENTS_SHOWN, userId });
  const { data, error } = query;
  if (error) return <QueryError query={query} text={messages.loadFailed} />;
  if (!data) return <Skeleton variant="rounded" height={60} />;
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 0.75, fontSize: '0.875rem' }}>
      {data.rows.map((line) => (
        <Box component="li" key={line.id} sx={{ overflowWrap: 'anywhere' }}>
          {line.description}
          {line.reason && ` (${line.reason})`}
          <Typography component="span" variant="caption" color="textSecondary" sx={{ ml: 1 }}>
            <RelativeTime iso={line.at} />
            {line.actorEmail && line.actorEmail !== line.userEmail && `, by ${line.actorEmail}`}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}
