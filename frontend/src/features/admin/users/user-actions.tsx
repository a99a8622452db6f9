import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { client } from '../../../api/client';
import { useCurrentUser } from '../../../api/session';
import { fullName, plural } from '../../../lib/format';
import { IconBan, IconCheck, IconShield, IconUserCheck, type Icon } from '../../../ui/icons';
import type { AdminUserDetail, ChangeUserDto } from '../api';
import { ConfirmActionDialog, type AdminAction } from '../confirm-action-dialog';
import { messages } from '../messages';

interface UserAction {
  label: string;
  icon: Icon;
  destructive?: boolean;
  confirmation: AdminAction;
}

/** The actions on an account. Nobody can suspend themselves or change their own rights. */
export function UserActions({ user }: { user: AdminUserDetail }) {
  const [action, setAction] = useState<AdminAction | null>(null);
  const me = useCurrentUser();
  const actions = useUserActions(user, me.id === user.id);
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', mb: 2 }}>
      {actions.map(({ label, icon: Mark, destructive, confirmation }) => (
        <Button
          key={label}
          size="small"
          variant="outlined"
          color={destructive ? 'error' : 'inherit'}
          startIcon={<Mark size={15} aria-hidden />}
          onClick={() => setAction(confirmation)}
        >
          {label}
        </Button>
      ))}
      {me.id === user.id && (
        <Typography variant="body2" color="textSecondary">
          This is your own account. Only another admin can change it.
        </Typography>
      )}
      {action && <ConfirmActionDialog action={action} onClose={() => setAction(null)} />}
    </Stack>
  );
}

function useUserActions(user: AdminUserDetail, isSelf: boolean): UserAction[] {
  const [verify] = client.useVerifyUserMutation();
  const [changeUser] = client.useChangeUserMutation();
  const change = (changeUserDto: ChangeUserDto) => changeUser({ userId: user.id, changeUserDto }).unwrap();
  const who = `${fullName(user)} (${user.email})`;
  const changed = { done: messages.userChanged, doneText: user.email, failed: messages.userChangeFailed };
  const verification: UserAction = {
    label: 'Verify',
    icon: IconUserCheck,
    confirmation: {
      title: 'Verify user',
      text: `Verify ${who}? The account may then send mail, and the confirmation mails to its contacts go out.`,
      confirmLabel: 'Verify',
      run: (reason) => verify({ userId: user.id, reasonDto: { reason } }).unwrap(),
      done: messages.verified,
      doneText: user.email,
      failed: messages.verifyFailed,
    },
  };
  const suspension: UserAction = user.suspended
    ? {
        label: 'Reinstate',
        icon: IconCheck,
        confirmation: {
          ...changed,
          title: 'Reinstate account',
          text: `Let ${who} sign in and send again? Mail that was stopped stays stopped.`,
          confirmLabel: 'Reinstate',
          run: (reason) => change({ suspended: false, reason }),
        },
      }
    : {
        label: 'Suspend',
        icon: IconBan,
        destructive: true,
        confirmation: {
          ...changed,
          title: 'Suspend account',
          destructive: true,
          confirmLabel: 'Suspend',
          run: (reason) => change({ suspended: true, reason }),
          text: `Suspend ${who}, with ${plural(user.totalLists, 'list')} and ${plural(user.totalContacts, 'contact')}? It is signed out on ${plural(user.devices.length, 'device')} at once, cannot sign in, and its queued mail stops.`,
        },
      };
  const rights: UserAction = user.isAdmin
    ? {
        label: 'Revoke admin',
        icon: IconShield,
        destructive: true,
        confirmation: {
          ...changed,
          title: 'Revoke admin rights',
          text: `Remove the admin rights of ${who}? This takes effect at once.`,
          confirmLabel: 'Revoke',
          destructive: true,
          run: (reason) => change({ isAdmin: false, reason }),
        },
      }
    : {
        label: 'Make admin',
        icon: IconShield,
        confirmation: {
          ...changed,
          title: 'Grant admin rights',
          text: `Make ${who} an admin? Admins see every account and every contact, and may do all that you may do here.`,
          confirmLabel: 'Make admin',
          run: (reason) => change({ isAdmin: true, reason }),
        },
      };
  return [...(user.isVerified ? [] : [verification]), ...(isSelf ? [] : [suspension, rights])];
}
