import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { RelativeTime } from '../../../ui/relative-time';
import { QueryError } from '../../../ui/query-error';
import { useAudit } from '../api';
import { messages } from '../messages';

const SHOWN = 10;

/** What was done to an account lately, and by whom. */
export function UserActivity({ userId }: { userId: string }) {
  const query = useAudit({ limit: SHOWN }, { userId });
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
