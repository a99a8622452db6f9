import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { Link as RouterLink } from 'react-router-dom';
import { plural, zoneName } from '../../../lib/format';
import { mayUpgrade } from '../../../lib/plan';
import { routes } from '../../../lib/routes';
import { useCurrentUser } from '../api';

/** What would make the server refuse, said before the press. It warns and never blocks: the server has the last word. */
export function SendWarnings() {
  const user = useCurrentUser();
  const { isVerified, entitlements } = user;
  if (!isVerified) return <Alert severity="warning">Verify your email address first. Your draft waits here until then.</Alert>;
  if (entitlements.dailyLimit === 0) return <Alert severity="warning">Sending is switched off for your account: its daily limit is 0. Your draft is saved; ask support to lift the limit.</Alert>;
  if (entitlements.dailyLimit !== null && entitlements.remainingToday === 0) {
    // A limit of one's own goes before any plan's: Pro would not lift it.
    const upgrade = user.customDailyLimit === null && mayUpgrade(user) && (
      <Button component={RouterLink} to={routes.upgrade.path} size="small" color="inherit">
        Upgrade to Pro
      </Button>
    );
    return <Alert severity="warning" action={upgrade || undefined}>{`You have used your ${plural(entitlements.dailyLimit, 'send')} of today. Your draft is saved; you can send it after midnight (${zoneName(user.timeZone)}).`}</Alert>;
  }
  return null;
}
