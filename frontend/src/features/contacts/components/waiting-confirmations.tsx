import Alert from '@mui/material/Alert';
import { formatCount, formatDateTime, plural } from '../../../lib/format';
import type { ConfirmationStatus } from '../api';

/** Waiting contacts are counted up to here. */
const COUNTED = 10_000;

/** Says how many people have not been asked to confirm yet, and why. */
export function WaitingConfirmations({ status }: { status?: ConfirmationStatus }) {
  if (!status?.hold) return null;
  return (
    <Alert severity={status.hold === 'few_confirmed' || status.hold === 'many_bounced' ? 'warning' : 'info'} sx={{ mb: 2 }}>
      {reasonOf(status)}
    </Alert>
  );
}

function reasonOf({ waiting, hold, dailyBudget, continuesAt }: ConfirmationStatus): string {
  const mails = waiting >= COUNTED ? `${formatCount(COUNTED)} or more confirmation emails` : plural(waiting, 'confirmation email');
  const are = waiting === 1 ? 'is' : 'are';
  switch (hold) {
    case 'daily_budget':
      return `${mails} ${are} waiting. You can email ${plural(dailyBudget ?? 0, 'new person', 'new people')} a day, and part of that is reserved for visitors of your public pages. Sending resumes ${formatDateTime(continuesAt ?? '')}. Your daily limit grows as people confirm.`;
    case 'few_confirmed':
      return `${mails} ${are} on hold: fewer than 5% of the people asked in the last 90 days have confirmed. Sending resumes when more people confirm. Ask those who know you to look for the email.`;
    case 'many_bounced':
      return `${mails} ${are} on hold: more than 5% of those sent in the last 90 days bounced. Remove addresses that no longer exist. Sending resumes when the share falls below 5%, as older emails stop counting.`;
    default:
      return `${mails} ${are} waiting. Verify your email address to send ${waiting === 1 ? 'it' : 'them'}.`;
  }
}
