import Box from '@mui/material/Box';
import { useMemo, useState } from 'react';
import { client } from '../../../api/client';
import { useAddress } from '../../../lib/use-address';
import { FilterBar, GridFilter } from '../../../ui/grid/filter-bar';
import { ServerDataGrid } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconSearch } from '../../../ui/icons';
import { EmptyState } from '../../../ui/loading/empty-state';
import { useNarrow } from '../../../ui/page/page';
import type { AdminContact, ContactFilter } from '../api';
import { ConfirmActionDialog, type AdminAction } from '../confirm-action-dialog';
import { messages } from '../messages';
import { AttestedImports } from './attested-imports';
import { contactColumns } from './contact-columns';
import { ListFilter, type PickedList } from './list-filter';

const choices = [
  { value: 'all', label: 'All statuses' },
  { value: 'confirmed', label: 'Confirmed' },
  { value: 'pending', label: 'Pending' },
  { value: 'unsubscribed', label: 'Unsubscribed' },
] as const;
type Choice = (typeof choices)[number]['value'];
const filters: Record<Choice, ContactFilter> = {
  all: {},
  confirmed: { confirmed: true },
  pending: { confirmed: false },
  unsubscribed: { status: 'unsubscribed' },
};

const GRID = 'subscriptions';

/** The contacts of all lists, which can be confirmed and unconfirmed, and the imports that wait for a decision. */
export function SubscriptionsTab() {
  const [list, setList] = useListFilter();
  const [action, setAction] = useState<AdminAction | null>(null);
  const grid = useServerGrid({ name: GRID, filters: { status: choices.map(({ value }) => value) } });
  const { status } = grid.filters;
  const query = client.useListSubscriptionsQuery({
    ...grid.args,
    ...filters[status],
    ...(list && { emailListId: list.id }),
  });
  const [confirm] = client.useConfirmContactMutation();
  const narrow = useNarrow();
  const columns = useMemo(() => {
    const ask = ({ id, email, listName, confirmed }: AdminContact) =>
      setAction({
        title: confirmed ? 'Set back to pending' : 'Confirm contact',
        text: confirmed
          ? `Set ${email} on "${listName}" back to Pending? It gets no more sends until it is confirmed again, and links mailed before no longer confirm it.`
          : `Confirm ${email} on "${listName}"? It gets sends from now on, on your word instead of its own.`,
        confirmLabel: confirmed ? 'Set to Pending' : 'Confirm',
        destructive: confirmed,
        run: (reason) => confirm({ id, confirmContactDto: { confirmed: !confirmed, reason } }).unwrap(),
        done: confirmed ? messages.unconfirmed : messages.confirmed,
        doneText: email,
        failed: messages.confirmFailed,
      });
    return contactColumns(narrow, ask);
  }, [narrow, confirm]);
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <AttestedImports />
      <ServerDataGrid<AdminContact>
        label="contacts of all lists"
        grid={grid}
        query={query}
        failedText={messages.loadFailed}
        columns={columns}
        stackedHeight={96}
        toolbar={
          <FilterBar label="Search contacts..." grid={grid}>
            <GridFilter grid={grid} name="status" label="Status" choices={choices} />
            <ListFilter value={list} onChange={setList} />
          </FilterBar>
        }
        empty={<EmptyState dense icon={IconSearch} title={messages.noContacts} />}
      />
      {action && <ConfirmActionDialog action={action} onClose={() => setAction(null)} />}
    </Box>
  );
}

/** The list whose contacts are shown. The URL holds the list's id, and its name for the field. */
function useListFilter(): [PickedList | null, (list: PickedList | null) => void] {
  const { params, write } = useAddress();
  const [id, name] = [params.get(`${GRID}.list`), params.get(`${GRID}.listName`)];
  const list = useMemo(() => (id ? { id, name: name ?? 'One list' } : null), [id, name]);
  return [
    list,
    (next) =>
      write({
        [`${GRID}.list`]: next?.id ?? null,
        [`${GRID}.listName`]: next?.name ?? null,
        [`${GRID}.page`]: null,
        [`${GRID}.cursor`]: null,
      }),
  ];
}
