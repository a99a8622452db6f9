import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useCallback, useMemo, useState } from 'react';
import { errorMessage } from '../../../api/api-error';
import { EmptyState } from '../../../ui/empty-state';
import { ChoiceField } from '../../../ui/form/choice-field';
import { ServerDataGrid } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconPlus, IconSearch, IconUsers } from '../../../ui/icons';
import { SearchField } from '../../../ui/search-field';
import { useToast } from '../../../ui/toast';
import { useNarrow } from '../../../ui/use-narrow';
import { useContacts, useCurrentUser, useResendConfirmation, type Contact, type ContactList } from '../api';
import { EditContactDialog } from '../forms/edit-contact-dialog';
import { messages } from '../messages';
import type { ContactAct } from './contact-actions';
import { contactColumns } from './contact-columns';
import { DeleteContactDialog } from './delete-contact-dialog';

const filters = [
  { value: '', label: 'All statuses' },
  { value: 'confirmed', label: 'Confirmed' },
  { value: 'pending', label: 'Pending' },
  { value: 'unsubscribed', label: 'Unsubscribed' },
] as const;

const statuses = filters.map(({ value }) => value);

/** The contacts of a list: paged, sorted, searched and filtered on the server. */
export function ContactsGrid({ list, onAdd }: { list: ContactList; onAdd: () => void }) {
  const [asked, setAsked] = useState<{ act: ContactAct; contact: Contact } | null>(null);
  const grid = useServerGrid({ filters: { status: statuses } });
  const { status } = grid.filters;
  const query = useContacts(list.id, grid.args, status || undefined);
  const narrow = useNarrow();
  const { isVerified } = useCurrentUser();
  const resend = useResend(list.id);
  const columns = useMemo(
    () => contactColumns({ narrow, canResend: isVerified, onAct: (act, contact) => (act === 'resend' ? void resend(contact) : setAsked({ act, contact })) }),
    [narrow, isVerified, resend],
  );
  const close = () => setAsked(null);
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
            <ChoiceField label="Status" hideLabel value={status} choices={filters} onChange={(value) => grid.setFilter('status', value)} />
          </Box>
        }
        empty={<NoContacts filtered={Boolean(grid.search || status)} onAdd={onAdd} />}
      />
      {asked?.act === 'edit' && <EditContactDialog listId={list.id} contact={asked.contact} onClose={close} />}
      {asked?.act === 'delete' && <DeleteContactDialog list={list} contact={asked.contact} onClose={close} />}
    </>
  );
}

function useResend(listId: string) {
  const resend = useResendConfirmation(listId);
  const toast = useToast();
  return useCallback(
    async (contact: Contact) => {
      try {
        await resend(contact.id);
        toast({ title: messages.resent, description: contact.email, variant: 'success' });
      } catch (error) {
        toast({ title: messages.resendFailed, description: errorMessage(error, messages.fallback), variant: 'destructive' });
      }
    },
    [resend, toast],
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
