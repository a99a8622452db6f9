import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { client } from '../../api/client';
import { RelativeTime } from '../../ui/relative-time';
import { VisuallyHidden } from '../../ui/visually-hidden';
import type { NotificationItem } from './api';

/** Notifications as a list of links. Following one marks it as read. */
export function NotificationLines({ items, onFollow }: { items: NotificationItem[]; onFollow?: () => void }) {
  const [read] = client.useReadNotificationsMutation();
  const follow = ({ id, readAt }: NotificationItem) => {
    // Not awaited: if the call fails, the notification stays unread, but the link still opens.
    if (!readAt) void read({ readNotificationsDto: { ids: [id] } });
    onFollow?.();
  };
  return (
    <Box component="ul" aria-label="Notifications" sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {items.map((item) => (
        <Box component="li" key={item.id} sx={{ '& + &': { borderTop: 1, borderColor: 'divider' } }}>
          <Line item={item} onFollow={() => follow(item)} />
        </Box>
      ))}
    </Box>
  );
}

function Line({
  item: { text, detail, url, updatedAt, readAt },
  onFollow,
}: {
  item: NotificationItem;
  onFollow: () => void;
}) {
  return (
    <Box
      component={RouterLink}
      to={url}
      onClick={onFollow}
      sx={{
        display: 'grid',
        gridTemplateColumns: '8px minmax(0, 1fr)',
        columnGap: 1.25,
        px: 2,
        py: 1.25,
        color: 'inherit',
        textDecoration: 'none',
        '&:hover, &:focus-visible': { bgcolor: 'surface.raised' },
        '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: '-2px' },
      }}
    >
      <Box
        aria-hidden
        sx={{ width: 8, height: 8, mt: '7px', borderRadius: '50%', bgcolor: readAt ? 'transparent' : 'primary.main' }}
      />
      <Box>
        <Typography component="div" sx={{ fontWeight: readAt ? 400 : 600, overflowWrap: 'anywhere' }}>
          {!readAt && <VisuallyHidden>Unread: </VisuallyHidden>}
          {text}
        </Typography>
        {detail && (
          <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {detail}
          </Typography>
        )}
        <Typography variant="caption" color="textSecondary" component="div" sx={{ mt: 0.25 }}>
          <RelativeTime iso={updatedAt} />
        </Typography>
      </Box>
    </Box>
  );
}
