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
  const people = waiting >= COUNTED ? `${formatCount(COUNTED)} people or more have` : waiting === 1 ? '1 person has' : `${plural(waiting, 'person', 'people')} have`;
  const start = `${people} not been sent a confirmation email yet.`;
  switch (hold) {
    case 'daily_budget':
      return `${start} Your account can send ${formatCount(dailyBudget ?? 0)} emails a day to people who are new to it, some of them reserved for visitors of your public pages. The next ones go out after ${formatDateTime(continuesAt ?? '')}. The number grows as people confirm.`;
    case 'few_confirmed':
      return `${start} Confirmation emails are stopped because fewer than 5% of the people asked in the last 90 days confirmed. They continue when more people confirm.`;
    case 'many_bounced':
      return `${start} Confirmation emails are stopped because more than 5% of those sent in the last 90 days bounced. Remove addresses that no longer exist.`;
    default:
      return `${start} Verify your email address to send them.`;
  }
}
