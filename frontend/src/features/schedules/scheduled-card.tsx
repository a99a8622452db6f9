import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import { Link as RouterLink } from 'react-router-dom';
import { plural } from '../../lib/format';
import { editScheduledPath, historyEntryPath } from '../../lib/routes';
import { useNow } from '../../lib/use-now';
import { SendCardHead } from '../../shared/send-card-head';
import { IconAlert } from '../../ui/icons';
import { StatusBadge } from '../../ui/status-badge';
import { ChipList } from '../../ui/tag';
import { distanceText, isOpen, timeText, type ScheduledItem } from './api';
import { ScheduledActions } from './scheduled-actions';

const MINUTE_MS = 60_000;

/** One scheduled email: when it leaves, whom it reaches, and what blocks or delays it. */
export function ScheduledCard({ item }: { item: ScheduledItem }) {
  const isWaiting = item.state === 'scheduled';
  return (
    <Paper variant="outlined" component="article" sx={{ p: 2, '&:hover': { borderColor: 'controlBorder' } }}>
      <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'flex-start' }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <SendCardHead
            subject={<Subject item={item} />}
            status={<StatusBadge status={item.state} />}
            emailType={item.emailType}
          >
            <Box component="span" sx={{ fontVariantNumeric: 'tabular-nums' }}>
              <time dateTime={item.dueAt}>{timeText(item)}</time>
              {isWaiting && <Distance dueAt={item.dueAt} />}
            </Box>
            <span>about {plural(item.estimate.recipientCount, 'recipient')}</span>
          </SendCardHead>
          {item.lists.length > 0 && (
            <Box sx={{ mt: 1 }}>
              <ChipList label="Lists" items={item.lists.map(({ id, name }) => ({ id, text: name }))} />
            </Box>
          )}
          {(item.state === 'blocked' || item.state === 'leaving') && item.reasonText && (
            <Alert severity="warning" icon={<IconAlert size={18} aria-hidden />} sx={{ mt: 1.5, py: 0.25 }}>
              {item.reasonText}
            </Alert>
          )}
        </Box>
        <ScheduledActions item={item} />
      </Box>
    </Paper>
  );
}

/** The subject with a link to the wizard, or to the send that the email became. */
function Subject({ item: { id, state, subject, historyId } }: { item: ScheduledItem }) {
  const to = historyId
    ? historyEntryPath(historyId)
    : isOpen({ state }) && state !== 'leaving'
      ? editScheduledPath(id)
      : null;
  if (!to) return subject;
  return (
    <Link component={RouterLink} to={to} color="inherit" underline="hover">
      {subject}
    </Link>
  );
}

/** ', in 14 hours', updated every minute. */
function Distance({ dueAt }: { dueAt: string }) {
  useNow(MINUTE_MS);
  return <>, {distanceText(dueAt)}</>;
}
