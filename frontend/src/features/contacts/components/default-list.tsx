import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { plural } from '../../../lib/format';
import { IconDownload, IconPlus } from '../../../ui/icons';
import { SectionError } from '../../../ui/section-error';
import { Tag } from '../../../ui/tag';
import { exportUrl, useDefaultList, type ContactList } from '../api';
import { AddContactDialog } from '../forms/add-contact-dialog';
import { messages } from '../messages';
import { useRunningImport } from '../use-running-import';
import { ContactsGrid } from './contacts-grid';
import { ImportPanel } from './import-panel';

/** The list that is shared with all users, for admins: the list page's table on it (decisions.md D42). */
export function DefaultList() {
  const { list, error, isFetching, refetch } = useDefaultList();
  if (error && !list) return <SectionError message={messages.listGone} pending={isFetching} onRetry={() => void refetch()} />;
  return list ? <DefaultContacts list={list} /> : <Skeleton variant="rounded" height={320} />;
}

function DefaultContacts({ list }: { list: ContactList }) {
  const [adding, setAdding] = useState(false);
  const { job, start, dismiss } = useRunningImport(list.id);
  const add = () => setAdding(true);
  return (
    <>
      <Box sx={{ display: 'flex', gap: 1.5, flexWrap: 'wrap', alignItems: 'center', mb: 2 }}>
        <Box sx={{ flex: '1 1 280px', minWidth: 0 }}>
          <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
            <Typography variant="h2">{list.name}</Typography>
            <Tag accent>{plural(list.contactCount, 'contact')}</Tag>
          </Box>
          <Typography variant="body2" color="textSecondary">
            Shared with all users: everyone may send to it, only admins see who is on it.
          </Typography>
        </Box>
        {list.contactCount > 0 && (
          <Button component="a" href={exportUrl(list.id)} download color="inherit" startIcon={<IconDownload size={16} aria-hidden />}>
            Export CSV
          </Button>
        )}
        <Button variant="contained" startIcon={<IconPlus size={17} aria-hidden />} onClick={add}>
          Add Contact
        </Button>
      </Box>
      {job && <ImportPanel key={job.id} listId={list.id} jobId={job.id} announce={job.isNew} onDismiss={dismiss} />}
      <ContactsGrid list={list} onAdd={add} />
      {adding && <AddContactDialog listId={list.id} onClose={() => setAdding(false)} onImport={start} />}
    </>
  );
}
