import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { fullName, plural } from '../../../lib/format';
import { IconBan, IconCheck, IconShield, IconUserCheck, type Icon } from '../../../ui/icons';
import { useChangeUser, useCurrentUser, useVerifyUser, type AdminUserDetail } from '../api';
import { messages } from '../messages';
import { ActDialog, type Act } from './act-dialog';

interface Offer {
  label: string;
  icon: Icon;
  destructive?: boolean;
  act: Act;
}

/** What can be done about an account; nobody changes their own rights. */
export function UserActs({ user }: { user: AdminUserDetail }) {
  const [act, setAct] = useState<Act | null>(null);
  const me = useCurrentUser();
  const offers = useOffers(user, me.id === user.id);
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', mb: 2 }}>
      {offers.map(({ label, icon: Mark, destructive, act: offered }) => (
        <Button
          key={label}
          size="small"
          variant="outlined"
          color={destructive ? 'error' : 'inherit'}
          startIcon={<Mark size={15} aria-hidden />}
          onClick={() => setAct(offered)}
        >
          {label}
        </Button>
      ))}
      {me.id === user.id && (
        <Typography variant="body2" color="textSecondary">
          This is your own account: another admin looks after it.
        </Typography>
      )}
      {act && <ActDialog act={act} onClose={() => setAct(null)} />}
    </Stack>
  );
}

function useOffers(user: AdminUserDetail, isSelf: boolean): Offer[] {
  const verify = useVerifyUser();
  const change = useChangeUser();
  const who = `${fullName(user)} (${user.email})`;
  const changed = { done: messages.userChanged, doneText: user.email, failed: messages.userChangeFailed };
  const verification: Offer = {
    label: 'Verify', icon: IconUserCheck,
    act: {
      title: 'Verify user', text: `Vouch for ${who}? The account may then send mail, and the confirmation mails to its contacts go out.`, confirmLabel: 'Verify',
      run: (reason) => verify(user.id, reason), done: messages.verified, doneText: user.email, failed: messages.verifyFailed,
    },
  };
  const suspension: Offer = user.suspended
    ? {
        label: 'Reinstate', icon: IconCheck,
        act: { ...changed, title: 'Reinstate account', text: `Let ${who} sign in and send again? Mail that was stopped stays stopped.`, confirmLabel: 'Reinstate', run: (reason) => change(user.id, { suspended: false, reason }) },
      }
    : {
        label: 'Suspend', icon: IconBan, destructive: true,
        act: {
          ...changed, title: 'Suspend account', destructive: true, confirmLabel: 'Suspend', run: (reason) => change(user.id, { suspended: true, reason }),
          text: `Suspend ${who}, with ${plural(user.totalLists, 'list')} and ${plural(user.totalContacts, 'contact')}? It is signed out on ${plural(user.devices.length, 'device')} at once, cannot sign in, and its queued mail stops.`,
        },
      };
  const rights: Offer = user.isAdmin
    ? {
        label: 'Revoke admin', icon: IconShield, destructive: true,
        act: { ...changed, title: 'Revoke admin rights', text: `Take the admin rights of ${who}? They end with the next click.`, confirmLabel: 'Revoke', destructive: true, run: (reason) => change(user.id, { isAdmin: false, reason }) },
      }
    : {
        label: 'Make admin', icon: IconShield,
        act: {
          ...changed, title: 'Grant admin rights', text: `Make ${who} an admin? Admins see every account and every contact, and may do all that you may do here.`, confirmLabel: 'Make admin',
          run: (reason) => change(user.id, { isAdmin: true, reason }),
        },
      };
  return [...(user.isVerified ? [] : [verification]), ...(isSelf ? [] : [suspension, rights])];
}
