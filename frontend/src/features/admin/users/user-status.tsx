import Box from '@mui/material/Box';
import { formatCount, plural } from '../../../lib/format';
import { IconShield } from '../../../ui/icons';
import { StatusBadge } from '../../../ui/status-badge';
import { Tag } from '../../../ui/tag';
import type { AdminUser } from '../api';

/** Suspended, unverified or active, with the complaint flag and the admin mark. */
export function UserStatus({ user }: { user: Pick<AdminUser, 'suspended' | 'isVerified' | 'isAdmin' | 'flag'> }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', gap: 0.75, flexWrap: 'wrap' }}>
      {user.suspended && <StatusBadge status="unsubscribed" word="Suspended" />}
      {!user.suspended &&
        (user.isVerified ? (
          <StatusBadge status="confirmed" word="Active" />
        ) : (
          <StatusBadge status="pending" word="Unverified" />
        ))}
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
  return flag === 'alert' ? (
    <StatusBadge status="complained" word="Complaints high" />
  ) : (
    <StatusBadge status="warning" word="Watch" />
  );
}

interface Rates {
  mails: number;
  bounced: number;
  complained: number;
  bounceRate: number;
  complaintRate: number;
}

/** '0.12%', from a share of 1. */
export const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

/** '1,200 mails, 3 bounced (0.25%), 1 complaint (0.08%)'. */
export function ratesText({ mails, bounced, complained, bounceRate, complaintRate }: Rates): string {
  if (mails === 0) return 'No mail';
  return `${plural(mails, 'mail')}, ${formatCount(bounced)} bounced (${percent(bounceRate)}), ${plural(complained, 'complaint')} (${percent(complaintRate)})`;
}
