import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { errorMessage } from '../../../api/api-error';
import { RelativeTime } from '../../../ui/relative-time';
import { SectionError } from '../../../ui/section-error';
import { useAudit } from '../api';
import { messages } from '../messages';

const SHOWN = 10;

/** What was done to an account lately, and by whom. */
export function UserActivity({ userId }: { userId: string }) {
  const { data, error, isFetching, refetch } = useAudit({ limit: SHOWN }, { userId });
  if (error) return <SectionError message={errorMessage(error, messages.loadFailed)} pending={isFetching} onRetry={() => void refetch()} />;
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
