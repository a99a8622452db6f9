import Button from '@mui/material/Button';
import { useState } from 'react';
import { isApiError } from '../../../api/api-error';
import { plural } from '../../../lib/format';
import { routes } from '../../../lib/routes';
import { BackLink } from '../../../ui/back-link';
import { IconDownload, IconPlus } from '../../../ui/icons';
import { Page } from '../../../ui/page';
import { PageHeader } from '../../../ui/page-header';
import { SectionError } from '../../../ui/section-error';
import { PageSkeleton } from '../../../ui/skeletons';
import { Tag } from '../../../ui/tag';
import { exportUrl, useList } from '../api';
import { AddContactDialog } from '../forms/add-contact-dialog';
import { messages } from '../messages';
import { useRunningImport } from '../use-running-import';
import { ContactsGrid } from './contacts-grid';
import { ImportPanel } from './import-panel';

/** One list and its contacts. */
export function ListScreen({ listId, notFound }: { listId: string; notFound: React.ReactNode }) {
  const { data: list, error, isFetching, refetch } = useList(listId);
  const [adding, setAdding] = useState(false);
  const { job, start, dismiss } = useRunningImport(listId);
  if (isApiError(error) && error.status === 404) return notFound;
  if (error && !list) {
    return (
      <Page>
        <SectionError message={messages.listGone} pending={isFetching} onRetry={() => void refetch()} />
      </Page>
    );
  }
  if (!list) return <PageSkeleton />;
  const add = () => setAdding(true);
  return (
    <Page>
      <PageHeader
        title={list.name}
        lead={<BackLink to={routes.lists.path} label="Back to email lists" />}
        badge={<Tag accent>{plural(list.contactCount, 'contact')}</Tag>}
        description="Manage contacts in this email distribution list"
        action={
          <>
            {list.contactCount > 0 && (
              <Button component="a" href={exportUrl(list.id)} download color="inherit" startIcon={<IconDownload size={16} aria-hidden />}>
                Export CSV
              </Button>
            )}
            <Button variant="contained" startIcon={<IconPlus size={17} aria-hidden />} onClick={add}>
              Add Contact
            </Button>
          </>
        }
      />
      {job && <ImportPanel key={job.id} listId={list.id} jobId={job.id} announce={job.isNew} onDismiss={dismiss} />}
      <ContactsGrid list={list} onAdd={add} />
      {adding && <AddContactDialog listId={list.id} onClose={() => setAdding(false)} onImport={start} />}
    </Page>
  );
}
