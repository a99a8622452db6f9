import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { fullName } from '../../../lib/format';
import { IconX } from '../../../ui/icons';
import { PersonAvatar } from '../../../ui/person-avatar';
import { QueryError } from '../../../ui/query-error';
import { useUser } from '../api';
import { messages } from '../messages';
import { DailyLimitForm } from '../forms/daily-limit-form';
import { DrawerSection } from './drawer-section';
import { UserActivity } from './user-activity';
import { UserActs } from './user-acts';
import { UserDevices, UserPlan, UserReception } from './user-facts';
import { UserSends } from './user-sends';
import { UserStatus } from './user-status';

/** The sheet about one account: what can be known of it, and done about it. */
export function UserDrawer({ userId, onClose }: { userId: string | null; onClose: () => void }) {
  const id = useId();
  // What slides out is still shown while it does.
  const [shown, setShown] = useState(userId);
  if (userId && userId !== shown) setShown(userId);
  return (
    <Drawer
      anchor="right"
      open={userId !== null}
      onClose={onClose}
      slotProps={{ paper: { role: 'dialog', 'aria-labelledby': id, sx: { width: { xs: '100%', sm: 520 }, p: { xs: 2, sm: 3 } } } }}
    >
      {shown && <Sheet key={shown} userId={shown} titleId={id} onClose={onClose} />}
    </Drawer>
  );
}

function Sheet({ userId, titleId, onClose }: { userId: string; titleId: string; onClose: () => void }) {
  const query = useUser(userId);
  const { data: user, error } = query;
  return (
    <>
      <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'flex-start', mb: 2 }}>
        {user && <PersonAvatar person={user} size={44} />}
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography id={titleId} variant="h2" sx={{ overflowWrap: 'anywhere' }}>
            {user ? fullName(user) : 'User'}
          </Typography>
          {user && (
            <Typography variant="mono" color="textSecondary" sx={{ display: 'block', fontSize: '0.8125rem', overflowWrap: 'anywhere', mb: 1 }}>
              {user.email}
            </Typography>
          )}
          {user && <UserStatus user={user} />}
        </Box>
        <IconButton aria-label="Close" onClick={onClose} autoFocus>
          <IconX size={18} aria-hidden />
        </IconButton>
      </Box>
      {error && <QueryError query={query} text={messages.loadFailed} />}
      {!user && !error && [180, 140, 140].map((height, index) => <Skeleton key={index} variant="rounded" height={height} sx={{ mb: 2 }} />)}
      {user && (
        <>
          <UserActs user={user} />
          <DrawerSection title="Plan and usage">
            <UserPlan user={user} />
            <DailyLimitForm user={user} />
          </DrawerSection>
          <DrawerSection title="How the mail is received">
            <UserReception user={user} />
          </DrawerSection>
          <DrawerSection title="Sends">
            <UserSends userId={user.id} />
          </DrawerSection>
          <DrawerSection title={`Devices (${user.devices.length})`}>
            <UserDevices user={user} />
          </DrawerSection>
          <DrawerSection title="Activity">
            <UserActivity userId={user.id} />
          </DrawerSection>
        </>
      )}
    </>
  );
}
