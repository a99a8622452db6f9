import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useCallback, useMemo, useState } from 'react';
import { errorMessage } from '../../../api/api-error';
import { client } from '../../../api/client';
import { useCurrentUser } from '../../../api/session';
import { SearchField } from '../../../ui/form/search-field';
import { GridFilter } from '../../../ui/grid/filter-bar';
import { ServerDataGrid } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconPlus, IconSearch, IconUsers } from '../../../ui/icons';
import { EmptyState } from '../../../ui/loading/empty-state';
import { useNarrow } from '../../../ui/page/page';
import { useToast } from '../../../ui/toast/toast';
import type { Contact, ContactList } from './api';
import { contactColumns, type ContactAction } from './contact-columns';
import { EditContactDialog } from './contact-forms';
import { DeleteContactDialog } from './delete-contact-dialog';
import { messages } from './messages';

const filters = [
  { value: '', label: 'All statuses' },
  { value: 'confirmed', label: 'Confirmed' },
  { value: 'pending', label: 'Pending' },
  { value: 'unsubscribed', label: 'Unsubscribed' },
] as const;

const statuses = filters.map(({ value }) => value);

/** The contacts of a list: paged, sorted, searched and filtered on the server. */
export function ContactsGrid({ list, onAdd }: { list: ContactList; onAdd: () => void }) {
  const [dialog, setDialog] = useState<{ action: ContactAction; contact: Contact } | null>(null);
  const grid = useServerGrid({ filters: { status: statuses } });
  const { status } = grid.filters;
  const query = client.useListContactsQuery({ id: list.id, ...grid.args, ...(status && { status }) });
  const narrow = useNarrow();
  const { isVerified } = useCurrentUser();
  const resend = useResend(list.id);
  const columns = useMemo(
    () =>
      contactColumns({
        narrow,
        canResend: isVerified,
        onAction: (action, contact) => (action === 'resend' ? void resend(contact) : setDialog({ action, contact })),
      }),
    [narrow, isVerified, resend],
  );
  const close = () => setDialog(null);
  return (
    <>
      <ServerDataGrid<Contact>
        label="contacts"
        grid={grid}
        query={query}
        failedText={messages.loadFailed}
        columns={columns}
        stackedHeight={80}
        toolbar={
          <Box sx={{ display: 'grid', gap: 1.25, gridTemplateColumns: { xs: '1fr', md: 'minmax(0, 380px) 180px' } }}>
            <SearchField label="Search contacts..." value={grid.search} onSearch={grid.setSearch} />
            <GridFilter grid={grid} name="status" label="Status" choices={filters} />
          </Box>
        }
        empty={<NoContacts filtered={Boolean(grid.search || status)} onAdd={onAdd} />}
      />
      {dialog?.action === 'edit' && <EditContactDialog listId={list.id} contact={dialog.contact} onClose={close} />}
      {dialog?.action === 'delete' && <DeleteContactDialog list={list} contact={dialog.contact} onClose={close} />}
    </>
  );
}

function useResend(listId: string) {
  const [resend] = client.useResendConfirmationMutation();
  const toast = useToast();
  return useCallback(
    async (contact: Contact) => {
      try {
        await resend({ id: listId, contactId: contact.id }).unwrap();
        toast({ title: messages.resent, description: contact.email, variant: 'success' });
      } catch (error) {
        toast({
          title: messages.resendFailed,
          description: errorMessage(error, messages.fallback),
          variant: 'destructive',
        });
      }
    },
    [listId, resend, toast],
  );
}

function NoContacts({ filtered, onAdd }: { filtered: boolean; onAdd: () => void }) {
  if (filtered) return <EmptyState dense icon={IconSearch} title={messages.noMatch} />;
  return (
    <EmptyState
      icon={IconUsers}
      title={messages.empty}
      text="Add people one by one, paste them, or upload a CSV file."
      action={
        <Button variant="contained" startIcon={<IconPlus size={17} aria-hidden />} onClick={onAdd}>
          Add Your First Contact
        </Button>
      }
    />
  );
}
