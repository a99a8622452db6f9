import Button from '@mui/material/Button';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { publicListPath, sendToListPath } from '../../../lib/routes';
import { CopyButton } from '../../../ui/copy-button';
import { IconDownload, IconPlus, IconSend } from '../../../ui/icons';
import { useToast } from '../../../ui/toast';
import { exportUrl, type ContactList } from '../api';
import { AddContactDialog } from '../forms/add-contact-dialog';
import { messages } from '../messages';
import { useRunningImport } from '../use-running-import';
import { ContactsGrid } from './contacts-grid';
import { ImportPanel } from './import-panel';
import { WaitingConfirmations } from './waiting-confirmations';

/** What can be done with the contacts of a list; `head` names the list and has room for the buttons. */
export function ContactsWork({ list, head }: { list: ContactList; head: (buttons: ReactNode) => ReactNode }) {
  const [adding, setAdding] = useState(false);
  const { job, start, dismiss } = useRunningImport(list.id);
  const toast = useToast();
  const link = location.origin + publicListPath(list.slug);
  const add = () => setAdding(true);
  return (
    <>
      {head(
        <>
          {!list.isDefault && <CopyButton text={link} label="Copy public link" variant="text" onFailed={() => toast({ title: messages.copyFailed, description: link, variant: 'destructive' })} />}
          {list.contactCount > 0 && (
            <Button component={Link} to={sendToListPath(list.id)} color="inherit" startIcon={<IconSend size={16} aria-hidden />}>
              Send to this list
            </Button>
          )}
          {list.contactCount > 0 && (
            <Button component="a" href={exportUrl(list.id)} download color="inherit" startIcon={<IconDownload size={16} aria-hidden />}>
              Export CSV
            </Button>
          )}
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
