import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { contactPath, historyEntryPath, listPath } from '../../lib/routes';
import { IconHistory, IconLists, IconSend, IconUserAdd, IconUserCheck, IconUserLeft, type Icon } from '../../ui/icons';
import { EmptyState } from '../../ui/loading/empty-state';
import { RelativeTime } from '../../ui/relative-time';
import { messages, type Activity } from './api';

const looks: Record<Activity['action'], Icon> = {
  'Email sent': IconSend,
  'List created': IconLists,
  'Contact added': IconUserAdd,
  'Contact confirmed': IconUserCheck,
  'Contact unsubscribed': IconUserLeft,
};

/** The ten newest events of the account's lists and sends. */
export function RecentActivity({ events }: { events: Activity[] }) {
  return (
    <Paper variant="outlined" component="section" aria-label="Recent activity" sx={{ overflow: 'hidden' }}>
      <Typography variant="h2" sx={{ fontSize: '1rem', px: 2.25, pt: 2, pb: 1.25 }}>
        Recent activity
      </Typography>
      {events.length === 0 ? (
        <EmptyState dense icon={IconHistory} title={messages.quiet} text={messages.quietText} />
      ) : (
        <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {events.map((event, index) => (
            <Event key={`${event.action} ${event.name} ${event.time} ${index}`} event={event} />
          ))}
        </Box>
      )}
    </Paper>
  );
}

/** The screen of the event's send, contact or list. */
function pathOf({ action, name, sendId, listId }: Activity, isAddress: boolean): string | undefined {
  if (sendId) return historyEntryPath(sendId);
  if (!listId) return undefined;
  return isAddress
    ? contactPath(listId, name, action === 'Contact unsubscribed' ? 'unsubscribed' : undefined)
    : listPath(listId);
}

function Event({ event }: { event: Activity }) {
  // A newer server may report an action that this release does not know.
  const Mark = (looks as Partial<Record<string, Icon>>)[event.action] ?? IconHistory;
  const isAddress = event.name.includes('@') && !event.name.includes(' ');
  const path = pathOf(event, isAddress);
  return (
    <Box component="li" sx={{ display: 'flex', gap: 1.5, px: 2.25, py: 1.25, borderTop: 1, borderColor: 'divider' }}>
      <Box sx={{ mt: '3px', color: event.action === 'Contact unsubscribed' ? 'text.secondary' : 'primary.main' }}>
        <Mark size={16} aria-hidden />
      </Box>
      <Box sx={{ minWidth: 0, flex: 1 }}>
        <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 1.5 }}>
          <Typography component="span" variant="body2" sx={{ fontWeight: 580 }}>
            {event.action}
          </Typography>
          <Typography component="span" variant="caption" color="textSecondary" sx={{ whiteSpace: 'nowrap' }}>
            <RelativeTime iso={event.time} />
          </Typography>
        </Box>
        <Typography
          component="span"
          variant={isAddress ? 'mono' : 'body2'}
          color="textSecondary"
          title={event.name}
          noWrap
          sx={{ display: 'block', ...(isAddress && { fontSize: '0.75rem' }) }}
        >
          {path ? (
            <Link component={RouterLink} to={path} color="inherit" underline="hover">
              {event.name}
            </Link>
          ) : (
            event.name
          )}
        </Typography>
      </Box>
    </Box>
  );
}
