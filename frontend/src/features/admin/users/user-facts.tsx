import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { formatCount, formatDate, plural } from '../../../lib/format';
import { limitText, planLabel } from '../../../shared/plan';
import { roleLabel } from '../../../lib/roles';
import { Facts } from '../../../ui/facts';
import { RelativeTime } from '../../../ui/relative-time';
import type { AdminUserDetail } from '../api';
import { planSources } from '../messages';
import { ratesText } from './user-status';

/** The plan, the limits and the size of an account. */
export function UserPlan({ user }: { user: AdminUserDetail }) {
  const { plan } = user;
  const until = plan.until ? `, until ${formatDate(plan.until)}` : '';
  return (
    <Facts
      facts={[
        ['Plan', `${planLabel(plan.plan)} (${planSources[plan.source]}${until})`],
        [
          'Limit',
          user.customDailyLimit === null
            ? limitText(plan.dailyLimit)
            : `${limitText(plan.dailyLimit)}, set by an admin`,
        ],
        [
          'Sent today',
          plan.remainingToday === null
            ? formatCount(user.emailsSentToday)
            : `${formatCount(user.emailsSentToday)}, ${formatCount(plan.remainingToday)} left`,
        ],
        ['Free months', formatCount(user.referralCreditsMonths)],
        ['Lists', `${plural(user.totalLists, 'list')}, ${plural(user.totalContacts, 'contact')}`],
        ['Role', roleLabel(user.role)],
        ['Agency', user.agencyName ?? '—'],
        ['Time zone', user.timeZone],
        ['Joined', formatDate(user.createdAt)],
      ]}
    />
  );
}

/** Bounces and complaints of the last 7 and 30 days. */
export function UserReputation({ user: { reputation } }: { user: AdminUserDetail }) {
  return (
    <Facts
      facts={[
        ['Last 7 days', ratesText(reputation.last7Days)],
        ['Last 30 days', ratesText(reputation.last30Days)],
      ]}
    />
  );
}

/** The devices where the account is signed in. */
export function UserDevices({ user }: { user: AdminUserDetail }) {
  if (user.devices.length === 0) return <Typography color="textSecondary">Signed in nowhere</Typography>;
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 0.75, fontSize: '0.875rem' }}>
      {user.devices.map((device) => (
        <li key={device.id}>
          {device.device}
          <Typography component="span" variant="body2" color="textSecondary" sx={{ ml: 1 }}>
            {device.ipAddress ?? 'unknown address'}, <RelativeTime iso={device.lastSeenAt} prefix="used" />
          </Typography>
        </li>
      ))}
    </Box>
  );
}
