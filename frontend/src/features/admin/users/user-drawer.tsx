import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useId, useState, type ReactNode } from 'react';
import { client } from '../../../api/client';
import { fullName } from '../../../lib/format';
import { PersonAvatar } from '../../../shared/person-avatar';
import { IconX } from '../../../ui/icons';
import { QueryError } from '../../../ui/loading/section-error';
import { messages } from '../messages';
import { DailyLimitForm } from './daily-limit-form';
import { UserActions } from './user-actions';
import { UserDevices, UserPlan, UserReputation } from './user-facts';
import { UserActivity, UserSends } from './user-history';
import { UserStatus } from './user-status';

/** A sheet with the details and actions of one account. */
export function UserDrawer({ userId, onClose }: { userId: string | null; onClose: () => void }) {
  const id = useId();
  // The last account stays mounted while the sheet slides out.
  const [shown, setShown] = useState(userId);
  if (userId && userId !== shown) setShown(userId);
  return (
    <Drawer
      anchor="right"
      open={userId !== null}
      onClose={onClose}
      slotProps={{
        paper: { role: 'dialog', 'aria-labelledby': id, sx: { width: { xs: '100%', sm: 520 }, p: { xs: 2, sm: 3 } } },
      }}
    >
      {shown && <Sheet key={shown} userId={shown} titleId={id} onClose={onClose} />}
    </Drawer>
  );
}

function Sheet({ userId, titleId, onClose }: { userId: string; titleId: string; onClose: () => void }) {
  const query = client.useGetUserQuery({ userId });
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
            <Typography
              variant="mono"
              color="textSecondary"
              sx={{ display: 'block', fontSize: '0.8125rem', overflowWrap: 'anywhere', mb: 1 }}
            >
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
      {!user &&
        !error &&
        [180, 140, 140].map((height, index) => (
          <Skeleton key={index} variant="rounded" height={height} sx={{ mb: 2 }} />
        ))}
      {user && (
        <>
          <UserActions user={user} />
          <DrawerSection title="Plan and usage">
            <UserPlan user={user} />
            <DailyLimitForm user={user} />
          </DrawerSection>
          <DrawerSection title="How the mail is received">
            <UserReputation user={user} />
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

function DrawerSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box component="section" sx={{ py: 2, borderTop: 1, borderColor: 'divider' }}>
      <Typography variant="h3" component="h3" sx={{ mb: 1.25 }}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}
