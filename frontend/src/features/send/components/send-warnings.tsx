import Alert from '@mui/material/Alert';
import { plural } from '../../../lib/format';
import { useCurrentUser } from '../api';

/** What would make the server refuse, said before the press. It warns and never blocks: the server has the last word. */
export function SendWarnings() {
  const { isVerified, entitlements } = useCurrentUser();
  if (!isVerified) return <Alert severity="warning">Verify your email address first. Your draft waits here until then.</Alert>;
  if (entitlements.dailyLimit !== null && entitlements.remainingToday === 0) {
    return <Alert severity="warning">{`You have used your ${plural(entitlements.dailyLimit, 'send')} of today. Your draft keeps until tomorrow.`}</Alert>;
  }
  return null;
}
