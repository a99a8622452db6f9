import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { client } from '../../../api/client';
import { formatDate } from '../../../lib/format';
import { FilterBar, GridFilter } from '../../../ui/grid/filter-bar';
import { PersonCell } from '../../../ui/grid/person-cell';
import { RowButton } from '../../../ui/grid/row-button';
import { actionsColumn, ServerDataGrid, type ServerColumn } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconBan, IconPlus } from '../../../ui/icons';
import { EmptyState } from '../../../ui/loading/empty-state';
import { useNarrow } from '../../../ui/page/page';
import { StatusBadge } from '../../../ui/status-badge';
import type { Suppression } from '../api';
import { ConfirmActionDialog, type AdminAction } from '../confirm-action-dialog';
import { messages, scopes } from '../messages';
import { AddSuppressionDialog } from './add-suppression-dialog';

const causeChoices = [
  { value: '', label: 'All causes' },
  { value: 'unsubscribed', label: 'Unsubscribed' },
  { value: 'bounced', label: 'Bounced' },
  { value: 'complained', label: 'Complained' },
] as const;
const scopeChoices = [
  { value: '', label: 'All scopes' },
  { value: 'owner', label: scopes.owner },
  { value: 'network', label: scopes.network },
  { value: 'all', label: scopes.all },
] as const;

/** Suppressed addresses with cause and scope. */
export function SuppressionsTab() {
  const [action, setAction] = useState<AdminAction | null>(null);
  const [adding, setAdding] = useState(false);
  const grid = useServerGrid({
    name: 'suppressions',
    filters: { cause: causeChoices.map(({ value }) => value), scope: scopeChoices.map(({ value }) => value) },
  });
  const { cause, scope } = grid.filters;
  const query = client.useListSuppressionsQuery({ ...grid.args, ...(cause && { cause }), ...(scope && { scope }) });
  const [lift] = client.useLiftSuppressionMutation();
  const narrow = useNarrow();
  const columns = useMemo(() => {
    const ask = (row: Suppression) => {
      const who = row.email ?? 'this erased address';
      setAction({
        title: 'Lift suppression',
        text:
          row.cause === 'bounced'
            ? `Let ${who} be mailed again (${scopes[row.scope].toLowerCase()})? It is suppressed again if it bounces again.`
            : `Lift the suppression of ${who} (${scopes[row.scope].toLowerCase()})? The person had unsubscribed: the address becomes Pending and is mailed only after it confirms again.`,
        confirmLabel: 'Lift',
        destructive: true,
        run: (reason) => lift({ id: row.id, reasonDto: { reason } }).unwrap(),
        done: messages.lifted,
        doneText: row.email ?? undefined,
        failed: messages.liftFailed,
      });
    };
    return suppressionColumns(narrow, ask);
  }, [narrow, lift]);
  return (
    <>
      <Box sx={{ display: 'flex', justifyContent: 'flex-end', mb: 1.5 }}>
        <Button variant="contained" startIcon={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
          Suppress Address
        </Button>
      </Box>
      <ServerDataGrid<Suppression>
        label="suppressed addresses"
        grid={grid}
        query={query}
        failedText={messages.loadFailed}
        columns={columns}
        stackedHeight={96}
        toolbar={
          <FilterBar label="Search addresses..." grid={grid}>
            <GridFilter grid={grid} name="cause" label="Cause" choices={causeChoices} />
            <GridFilter grid={grid} name="scope" label="Scope" choices={scopeChoices} />
          </FilterBar>
        }
        empty={
          <EmptyState
            dense
            icon={IconBan}
            title={grid.search || cause || scope ? messages.noSuppressions : messages.nobodySuppressed}
          />
        }
      />
      {action && <ConfirmActionDialog action={action} onClose={() => setAction(null)} />}
      {adding && <AddSuppressionDialog onClose={() => setAdding(false)} />}
    </>
  );
}

const scopeText = ({ scope, ownerEmail }: Suppression) =>
  scope === 'owner' ? (ownerEmail ?? 'an account that is gone') : scopes[scope];

const suppressionColumns = (narrow: boolean, ask: (row: Suppression) => void): ServerColumn<Suppression>[] => [
  {
    field: 'email',
    headerName: 'Email',
    flex: 1,
    minWidth: 150,
    sortable: false,
    renderCell: ({ row }) => (
      <PersonCell
        email={row.email ?? 'erased, kept as a hash'}
        lines={
          narrow
            ? [
                scopeText(row),
                `since ${formatDate(row.createdAt)}${row.expiresAt ? `, until ${formatDate(row.expiresAt)}` : ''}`,
              ]
            : []
        }
        below={narrow ? <StatusBadge status={row.cause} /> : undefined}
      />
    ),
  },
  {
    field: 'cause',
    headerName: 'Cause',
    width: 150,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => <StatusBadge status={row.cause} />,
  },
  {
    field: 'scope',
    headerName: 'Scope',
    flex: 0.8,
    minWidth: 170,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) =>
      row.scope === 'owner' && row.ownerEmail ? (
        <Typography variant="mono" noWrap title={row.ownerEmail}>
          {row.ownerEmail}
        </Typography>
      ) : (
        scopeText(row)
      ),
  },
  {
    field: 'createdAt',
    headerName: 'Since',
    width: 130,
    hideOnMobile: true,
    renderCell: ({ row }) => formatDate(row.createdAt),
  },
  {
    field: 'expiresAt',
    headerName: 'Until',
    width: 130,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => (row.expiresAt ? formatDate(row.expiresAt) : 'For good'),
  },
  actionsColumn(84, ({ row, tabIndex }) => (
    <RowButton tabIndex={tabIndex} onClick={() => ask(row)} label={`Lift ${row.email ?? 'an erased address'}`}>
      Lift
    </RowButton>
  )),
];
