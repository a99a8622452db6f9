import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { EmptyState } from '../../../ui/empty-state';
import { IconHistory, IconLists, IconSend, IconUserAdd, IconUserCheck, IconUserLeft, type Icon } from '../../../ui/icons';
import { RelativeTime } from '../../../ui/relative-time';
import type { Activity } from '../api';
import { messages } from '../messages';

const looks: Record<Activity['action'], Icon> = {
  'Email sent': IconSend,
  'List created': IconLists,
  'Contact added': IconUserAdd,
  'Contact confirmed': IconUserCheck,
  'Contact unsubscribed': IconUserLeft,
};

/** The newest ten of what happened on the own lists and sends. */
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

function Event({ event }: { event: Activity }) {
  // A newer server may tell of something that this page does not know yet.
  const Mark = (looks as Partial<Record<string, Icon>>)[event.action] ?? IconHistory;
  const isAddress = event.name.includes('@') && !event.name.includes(' ');
  return (
    <Box component="li" sx={{ display: 'flex', gap: 1.5, px: 2.25, py: 1.25, borderTop: 1, borderColor: 'surface.line' }}>
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
        <Typography component="span" variant={isAddress ? 'mono' : 'body2'} color="textSecondary" title={event.name} noWrap sx={{ display: 'block', ...(isAddress && { fontSize: '0.75rem' }) }}>
          {event.name}
        </Typography>
      </Box>
    </Box>
  );
}
