import Box from '@mui/material/Box';
import { useMemo, useState } from 'react';
import { useAddress } from '../../../lib/use-address';
import { EmptyState } from '../../../ui/empty-state';
import { ChoiceField } from '../../../ui/form/choice-field';
import { ServerDataGrid } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconSearch } from '../../../ui/icons';
import { useNarrow } from '../../../ui/use-narrow';
import { useConfirmContact, useContactsOfAll, type ContactFilter, type OverseenContact } from '../api';
import { messages } from '../messages';
import { ActDialog, type Act } from './act-dialog';
import { AttestedImports } from './attested-imports';
import { FilterBar } from './filter-bar';
import { ListPicker, type PickedList } from './list-picker';
import { overseenColumns } from './overseen-columns';

const choices = [
  { value: 'all', label: 'All statuses' },
  { value: 'confirmed', label: 'Confirmed' },
  { value: 'pending', label: 'Pending' },
  { value: 'unsubscribed', label: 'Unsubscribed' },
] as const;
type Choice = (typeof choices)[number]['value'];
const filters: Record<Choice, ContactFilter> = { all: {}, confirmed: { confirmed: true }, pending: { confirmed: false }, unsubscribed: { status: 'unsubscribed' } };

const GRID = 'subscriptions';

/** Every contact of every list, with confirm and unconfirm, and the imports that wait for a decision. */
export function SubscriptionsTab() {
  const [list, setList] = useListFilter();
  const [act, setAct] = useState<Act | null>(null);
  const grid = useServerGrid({ name: GRID, filters: { status: choices.map(({ value }) => value) } });
  const { status } = grid.filters;
  const query = useContactsOfAll(grid.args, { ...filters[status], ...(list && { emailListId: list.id }) });
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
            <ChoiceField label="Status" hideLabel value={status} choices={choices} onChange={(value) => grid.setFilter('status', value)} />
            <ListPicker value={list} onChange={setList} />
          </FilterBar>
        }
        empty={<EmptyState dense icon={IconSearch} title={messages.noContacts} />}
      />
      {act && <ActDialog act={act} onClose={() => setAct(null)} />}
    </Box>
  );
}

/** The list whose contacts are shown: in the address, with its name for the field. */
function useListFilter(): [PickedList | null, (list: PickedList | null) => void] {
  const { params, write } = useAddress();
  const [id, name] = [params.get(`${GRID}.list`), params.get(`${GRID}.listName`)];
  const list = useMemo(() => (id ? { id, name: name ?? 'One list' } : null), [id, name]);
  return [list, (next) => write({ [`${GRID}.list`]: next?.id ?? null, [`${GRID}.listName`]: next?.name ?? null, [`${GRID}.page`]: null, [`${GRID}.cursor`]: null })];
}
