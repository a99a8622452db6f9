import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { formatDate } from '../../../lib/format';
import { EmptyState } from '../../../ui/empty-state';
import { ChoiceField } from '../../../ui/form/choice-field';
import { ServerDataGrid, type ServerColumn } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconBan, IconPlus } from '../../../ui/icons';
import { StatusBadge } from '../../../ui/status-badge';
import { useNarrow } from '../../../ui/use-narrow';
import { useLiftSuppression, useSuppressions, type Suppression } from '../api';
import { AddSuppressionDialog } from '../forms/add-suppression-dialog';
import { messages, scopes } from '../messages';
import { ActDialog, type Act } from './act-dialog';
import { FilterBar } from './filter-bar';
import { PersonCell } from './person-cell';

const causeChoices = [
  { value: '', label: 'All causes' },
  { value: 'unsubscribed', label: 'Unsubscribed' },
  { value: 'bounced', label: 'Bounced' },
  { value: 'complained', label: 'Complained' },
] as const;
const scopeChoices = [
  { value: '', label: 'Any reach' },
  { value: 'owner', label: scopes.owner },
  { value: 'network', label: scopes.network },
  { value: 'all', label: scopes.all },
] as const;

/** Who must not be mailed, why and how far. */
export function SuppressionsTab() {
  const [act, setAct] = useState<Act | null>(null);
  const [adding, setAdding] = useState(false);
  const grid = useServerGrid({ name: 'suppressions', filters: { cause: causeChoices.map(({ value }) => value), scope: scopeChoices.map(({ value }) => value) } });
  const { cause, scope } = grid.filters;
  const query = useSuppressions(grid.args, { ...(cause && { cause }), ...(scope && { scope }) });
  const lift = useLiftSuppression();
  const narrow = useNarrow();
  const columns = useMemo(() => {
    const ask = (row: Suppression) => {
      const who = row.email ?? 'this erased address';
      setAct({
        title: 'Lift suppression',
        text: row.cause === 'bounced'
          ? `Let ${who} be mailed again (${scopes[row.scope].toLowerCase()})? It is suppressed again if it bounces again.`
          : `Lift the suppression of ${who} (${scopes[row.scope].toLowerCase()})? The person had left: the address stands Pending after this and is mailed only once it confirms anew.`,
        confirmLabel: 'Lift', destructive: true, run: (reason) => lift(row.id, reason), done: messages.lifted, doneText: row.email ?? undefined, failed: messages.liftFailed,
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
            <ChoiceField label="Cause" hideLabel value={cause} choices={causeChoices} onChange={(value) => grid.setFilter('cause', value)} />
            <ChoiceField label="Reach" hideLabel value={scope} choices={scopeChoices} onChange={(value) => grid.setFilter('scope', value)} />
          </FilterBar>
        }
        empty={<EmptyState dense icon={IconBan} title={grid.search || cause || scope ? messages.noSuppressions : messages.nobodySuppressed} />}
      />
      {act && <ActDialog act={act} onClose={() => setAct(null)} />}
      {adding && <AddSuppressionDialog onClose={() => setAdding(false)} />}
    </>
  );
}

const reachOf = ({ scope, ownerEmail }: Suppression) => (scope === 'owner' ? (ownerEmail ?? 'an account that is gone') : scopes[scope]);

const suppressionColumns = (narrow: boolean, ask: (row: Suppression) => void): ServerColumn<Suppression>[] => [
  {
    field: 'email', headerName: 'Email', flex: 1, minWidth: 150, sortable: false,
    renderCell: ({ row }) => <PersonCell email={row.email ?? 'erased, kept as a hash'} lines={narrow ? [`${reachOf(row)}, since ${formatDate(row.createdAt)}`, row.expiresAt && `until ${formatDate(row.expiresAt)}`] : []} below={narrow ? <StatusBadge status={row.cause} /> : undefined} />,
  },
  { field: 'cause', headerName: 'Cause', width: 150, sortable: false, wide: true, renderCell: ({ row }) => <StatusBadge status={row.cause} /> },
  { field: 'scope', headerName: 'Reach', flex: 0.8, minWidth: 170, sortable: false, wide: true, renderCell: ({ row }) => reachOf(row) },
  { field: 'createdAt', headerName: 'Since', width: 130, wide: true, renderCell: ({ row }) => formatDate(row.createdAt) },
  { field: 'expiresAt', headerName: 'Until', width: 130, sortable: false, wide: true, renderCell: ({ row }) => (row.expiresAt ? formatDate(row.expiresAt) : 'For good') },
  {
    field: 'actions', headerName: 'Actions', width: 84, align: 'right', headerAlign: 'right', sortable: false,
    renderCell: ({ row, tabIndex }) => (
      <Button size="small" tabIndex={tabIndex} variant="outlined" color="inherit" onClick={() => ask(row)} aria-label={`Lift ${row.email ?? 'an erased address'}`}>
        Lift
      </Button>
    ),
  },
];
