import Box from '@mui/material/Box';
import { IconShield } from '../../../ui/icons';
import { StatusBadge } from '../../../ui/status-badge';
import { Tag } from '../../../ui/tag';
import type { AdminUser } from '../api';

/** How an account stands: suspended, unverified or active, and what else matters of it. */
export function UserStatus({ user }: { user: Pick<AdminUser, 'suspended' | 'isVerified' | 'isAdmin' | 'flag'> }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', gap: 0.75, flexWrap: 'wrap' }}>
      {user.suspended && <StatusBadge status="unsubscribed" word="Suspended" />}
      {!user.suspended && (user.isVerified ? <StatusBadge status="confirmed" word="Active" /> : <StatusBadge status="pending" word="Unverified" />)}
      <FlagBadge flag={user.flag} />
      {user.isAdmin && (
        <Tag accent icon={IconShield}>
          Admin
        </Tag>
      )}
    </Box>
  );
}

/** Complaints above a threshold (0.1 % and 0.3 %). */
export function FlagBadge({ flag }: { flag: AdminUser['flag'] }) {
  if (flag === 'none') return null;
  return flag === 'alert' ? <StatusBadge status="complained" word="Complaints high" /> : <StatusBadge status="warning" word="Watch" />;
}
