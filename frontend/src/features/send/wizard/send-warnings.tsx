import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { Link as RouterLink } from 'react-router-dom';
import { plural, zoneName } from '../../../lib/format';
import { routes } from '../../../lib/routes';
import { mayUpgrade } from '../../../shared/plan';
import { useCurrentUser } from '../api';

/**
 * Warns about reasons for which the server would refuse the send. Never blocks it, because the server decides.
 * @param isScheduling whether the email leaves later, so that today's limit does not matter
 */
export function SendWarnings({ isScheduling }: { isScheduling: boolean }) {
  const user = useCurrentUser();
  const { isVerified, entitlements } = user;
  if (!isVerified)
    return <Alert severity="warning">Verify your email address first. Your draft waits here until then.</Alert>;
  if (entitlements.dailyLimit === 0)
    return (
      <Alert severity="warning">
        Sending is switched off for your account: its daily limit is 0. Your draft is saved; ask support to lift the
        limit.
      </Alert>
    );
  if (entitlements.dailyLimit !== null && entitlements.remainingToday === 0 && !isScheduling) {
    // An individual limit overrides the plan's, so an upgrade would not help.
    const upgrade = user.customDailyLimit === null && mayUpgrade(user) && (
      <Button component={RouterLink} to={routes.upgrade.path} size="small" color="inherit">
        Upgrade to Pro
      </Button>
    );
    if (entitlements.scheduledToday > 0)
      return (
        <Alert severity="warning" action={upgrade || undefined}>
          {`${plural(entitlements.scheduledToday, 'scheduled email holds', 'scheduled emails hold')} what is left of your ${plural(entitlements.dailyLimit, 'send')} of today. Cancel one, or choose a time on another day.`}
        </Alert>
      );
    return (
      <Alert
        severity="warning"
        action={upgrade || undefined}
      >{`You have used your ${plural(entitlements.dailyLimit, 'send')} of today. Your draft is saved; you can send it after midnight (${zoneName(user.timeZone)}).`}</Alert>
    );
  }
  return null;
}
