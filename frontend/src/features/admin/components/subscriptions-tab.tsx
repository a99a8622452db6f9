import Box from '@mui/material/Box';
import { useMemo, useState } from 'react';
import { EmptyState } from '../../../ui/empty-state';
import { ChoiceField } from '../../../ui/form/choice-field';
import { ServerDataGrid } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconSearch } from '../../../ui/icons';
import { useNarrow } from '../../../ui/use-narrow';
import { useConfirmContact, useContactsOfAll, type ContactFilter, type OverseenContact, type OverseenList } from '../api';
import { messages } from '../messages';
import { ActDialog, type Act } from './act-dialog';
import { AttestedImports } from './attested-imports';
import { FilterBar } from './filter-bar';
import { ListPicker } from './list-picker';
import { overseenColumns } from './overseen-columns';

const choices = [
  { value: 'all', label: 'All statuses' },
  { value: 'confirmed', label: 'Confirmed' },
  { value: 'pending', label: 'Pending' },
  { value: 'unsubscribed', label: 'Unsubscribed' },
] as const;
type Choice = (typeof choices)[number]['value'];
const filters: Record<Choice, ContactFilter> = { all: {}, confirmed: { confirmed: true }, pending: { confirmed: false }, unsubscribed: { status: 'unsubscribed' } };

/** Every contact of every list, with confirm and unconfirm, and the imports that wait for a decision. */
export function SubscriptionsTab() {
  const [choice, setChoice] = useState<Choice>('all');
  const [list, setList] = useState<OverseenList | null>(null);
  const [act, setAct] = useState<Act | null>(null);
  const grid = useServerGrid({ scope: `${choice} ${list?.id ?? ''}` });
  const query = useContactsOfAll(grid.args, { ...filters[choice], ...(list && { emailListId: list.id }) });
  const confirm = useConfirmContact();
  const narrow = useNarrow();
  const columns = useMemo(() => {
    const ask = ({ id, email, listName, confirmed }: OverseenContact) =>
      setAct({
        title: confirmed ? 'Set back to pending' : 'Confirm contact',
        text: confirmed
          ? `Set ${email} on "${listName}" back to Pending? It gets no more sends until it is confirmed again, and links mailed before no longer confirm it.`
          : `Confirm ${email} on "${listName}"? It gets sends from now on, on your word instead of its own.`,
        confirmLabel: confirmed ? 'Set to Pending' : 'Confirm',
        destructive: confirmed,
        run: (reason) => confirm(id, !confirmed, reason),
        done: confirmed ? messages.unconfirmed : messages.confirmed,
        doneText: email,
        failed: messages.confirmFailed,
      });
    return overseenColumns(narrow, ask);
  }, [narrow, confirm]);
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <AttestedImports />
      <ServerDataGrid<OverseenContact>
        label="contacts of all lists"
        grid={grid}
        query={query}
        failedText={messages.loadFailed}
        columns={columns}
        stackedHeight={96}
        toolbar={
          <FilterBar label="Search contacts..." grid={grid}>
            <ChoiceField label="Status" hideLabel value={choice} choices={choices} onChange={setChoice} />
            <ListPicker value={list} onChange={setList} />
          </FilterBar>
        }
        empty={<EmptyState dense icon={IconSearch} title={messages.noContacts} />}
      />
      {act && <ActDialog act={act} onClose={() => setAct(null)} />}
    </Box>
  );
}
