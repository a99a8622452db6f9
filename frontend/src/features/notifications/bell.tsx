import Badge from '@mui/material/Badge';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { client } from '../../api/client';
import { useTitlePrefix } from '../../lib/product';
import { routes } from '../../lib/routes';
import { IconBell } from '../../ui/icons';
import { EmptyState } from '../../ui/loading/empty-state';
import { QueryError } from '../../ui/loading/section-error';
import { LoadingRegion, RowSkeletons } from '../../ui/loading/skeletons';
import { Tooltip } from '../../ui/tooltip';
import { countText, messages, useUnread } from './api';
import { NotificationLines } from './notification-lines';
import { ReadAllButton } from './read-all-button';

/** Maximum number of notifications in the panel. */
const NOTIFICATIONS_SHOWN = 20;

/**
 * The bell in the header with the number of unread notifications, which the tab's title shows too. Opens the newest
 * notifications.
 */
export function Bell() {
  const unread = useUnread();
  useTitlePrefix('unread', unread > 0 ? `(${countText(unread)}) ` : '');
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const label = unread > 0 ? `Notifications, ${countText(unread)} unread` : 'Notifications';
  return (
    <>
      <Tooltip title="Notifications">
        <IconButton
          aria-label={label}
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          {/* No content at 0, because a hidden "0" would be a text that the button's name does not contain. */}
          <Badge badgeContent={unread > 0 ? countText(unread) : undefined} color="primary">
            <IconBell size={18} aria-hidden />
          </Badge>
        </IconButton>
      </Tooltip>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{
          paper: {
            role: 'dialog',
            'aria-label': 'Notifications',
            sx: {
              width: 'min(400px, calc(100vw - 16px))',
              display: 'flex',
              flexDirection: 'column',
              maxHeight: '80dvh',
            },
          },
        }}
      >
        <Panel onFollow={() => setAnchor(null)} />
      </Popover>
    </>
  );
}

function Panel({ onFollow }: { onFollow: () => void }) {
  return (
    <>
      <Stack
        direction="row"
        sx={{ alignItems: 'center', gap: 1, px: 2, py: 1, borderBottom: 1, borderColor: 'divider', flexShrink: 0 }}
      >
        <Typography component="h2" variant="h3" sx={{ flex: 1 }}>
          Notifications
        </Typography>
        <ReadAllButton />
      </Stack>
      <Box sx={{ overflowY: 'auto', flex: 1, minHeight: 0 }}>
        <Newest onFollow={onFollow} />
      </Box>
      <Box sx={{ borderTop: 1, borderColor: 'divider', p: 0.75, flexShrink: 0 }}>
        <Button fullWidth color="inherit" component={RouterLink} to={routes.notifications.path} onClick={onFollow}>
          {messages.seeAll}
        </Button>
      </Box>
    </>
  );
}

function Newest({ onFollow }: { onFollow: () => void }) {
  const query = client.useListNotificationsQuery({ limit: NOTIFICATIONS_SHOWN });
  const { data, error } = query;
  if (error && !data)
    return (
      <Box sx={{ p: 2 }}>
        <QueryError query={query} text={messages.loadFailed} />
      </Box>
    );
  if (!data)
    return (
      <LoadingRegion label="Loading notifications">
        <Box sx={{ p: 2 }}>
          <RowSkeletons count={3} height={56} />
        </Box>
      </LoadingRegion>
    );
  if (data.rows.length === 0) return <EmptyState icon={IconBell} title={messages.empty} dense />;
  return <NotificationLines items={data.rows} onFollow={onFollow} />;
}
