import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formatCount, formatDateTime, plural } from '../../../lib/format';
import { importPath, publicListPath, sendToListPath } from '../../../lib/routes';
import { CopyButton } from '../../../ui/copy-button';
import { IconDownload, IconPlus, IconSend, IconUpload } from '../../../ui/icons';
import { useToast } from '../../../ui/toast/toast';
import { AddContactDialog } from './add-contact-dialog';
import { exportUrl, type ConfirmationStatus, type ContactList } from './api';
import { ContactsGrid } from './contacts-grid';
import { ImportPanel, useRunningImport } from './import-panel';
import { messages } from './messages';

/**
 * The contacts of a list: running import, grid and dialogs.
 * @param renderHeader draws the list's header with the given buttons
 */
export function ContactsPanel({
  list,
  renderHeader,
}: {
  list: ContactList;
  renderHeader: (buttons: ReactNode) => ReactNode;
}) {
  const [adding, setAdding] = useState(false);
  const { job, start, dismiss } = useRunningImport(list.id);
  const toast = useToast();
  const link = location.origin + publicListPath(list.slug);
  const add = () => setAdding(true);
  return (
    <>
      {renderHeader(
        <>
          {!list.isDefault && (
            <CopyButton
              text={link}
              label="Copy public link"
              variant="text"
              onFailed={() => toast({ title: messages.copyFailed, description: link, variant: 'destructive' })}
            />
          )}
          {list.contactCount > 0 && (
            <Button
              component={Link}
              to={sendToListPath(list.id)}
              color="inherit"
              startIcon={<IconSend size={16} aria-hidden />}
            >
              Send to this list
            </Button>
          )}
          {list.contactCount > 0 && (
            <Button
              component="a"
              href={exportUrl(list.id)}
              download
              color="inherit"
              startIcon={<IconDownload size={16} aria-hidden />}
            >
              Export CSV
            </Button>
          )}
          <Button
            component={Link}
            to={importPath(list.id)}
            color="inherit"
            startIcon={<IconUpload size={16} aria-hidden />}
          >
            Bulk Import
          </Button>
          <Button variant="contained" startIcon={<IconPlus size={17} aria-hidden />} onClick={add}>
            Add Contact
          </Button>
        </>,
      )}
      {job && <ImportPanel key={job} listId={list.id} jobId={job} onDismiss={dismiss} />}
      <WaitingConfirmations status={list.confirmations} />
      <ContactsGrid list={list} onAdd={add} />
      {adding && <AddContactDialog listId={list.id} onClose={() => setAdding(false)} onImport={start} />}
    </>
  );
}

/** The server counts waiting contacts up to this number. */
const MAX_COUNTED = 10_000;

/** How many confirmation emails wait to be sent, and why. */
function WaitingConfirmations({ status }: { status?: ConfirmationStatus }) {
  if (!status?.hold) return null;
  return (
    // An ordinary paragraph for screen readers: an alert would interrupt them whenever the number changes.
    <Alert
      role="none"
      severity={status.hold === 'few_confirmed' || status.hold === 'many_bounced' ? 'warning' : 'info'}
      sx={{ mb: 2 }}
    >
      {reasonOf(status)}
    </Alert>
  );
}

function reasonOf({ waiting, hold, dailyBudget, continuesAt }: ConfirmationStatus): string {
  const mails =
    waiting >= MAX_COUNTED
      ? `${formatCount(MAX_COUNTED)} or more confirmation emails`
      : plural(waiting, 'confirmation email');
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
