import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { formatDate, fullName } from '../../../lib/format';
import { roleLabel } from '../../../lib/roles';
import { EmptyState } from '../../../ui/empty-state';
import { ServerDataGrid, type ServerColumn } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconSearch, IconUserCheck } from '../../../ui/icons';
import { useNarrow } from '../../../ui/use-narrow';
import { usePendingUsers, useVerifyUser, type PendingUser } from '../api';
import { messages } from '../messages';
import { ActDialog, type Act } from './act-dialog';
import { FilterBar } from './filter-bar';
import { PersonCell } from './person-cell';

/** People whose address nobody has proved yet. */
export function PendingTab() {
  const grid = useServerGrid({ name: 'pending' });
  const query = usePendingUsers(grid.args);
  const [act, setAct] = useState<Act | null>(null);
  const verify = useVerifyUser();
  const narrow = useNarrow();
  const columns = useMemo(() => {
    const ask = ({ user, credential }: PendingUser) =>
      setAct({
        title: 'Verify user',
        text: `Vouch for ${fullName(user)} (${credential.email})? The account may then send mail, and the confirmation mails to its contacts go out.`,
        confirmLabel: 'Verify',
        run: (reason) => verify(user.id, reason),
        done: messages.verified,
        doneText: credential.email,
        failed: messages.verifyFailed,
      });
    return pendingColumns(narrow, ask);
  }, [narrow, verify]);
  return (
    <>
      <ServerDataGrid<PendingUser>
        label="people who wait for verification"
        grid={grid}
        query={query}
        failedText={messages.loadFailed}
        columns={columns}
        stackedHeight={76}
        getRowId={(row) => row.user.id}
        toolbar={<FilterBar label="Search people..." grid={grid} />}
        empty={<EmptyState dense icon={grid.search ? IconSearch : IconUserCheck} title={grid.search ? messages.noUsers : messages.nobodyPending} />}
      />
      {act && <ActDialog act={act} onClose={() => setAct(null)} />}
    </>
  );
}

const pendingColumns = (narrow: boolean, ask: (row: PendingUser) => void): ServerColumn<PendingUser>[] => [
  {
    field: 'name', headerName: 'Name', flex: 1, minWidth: 150,
    renderCell: ({ row }) => <PersonCell name={fullName(row.user)} email={row.credential.email} lines={narrow ? [`${roleLabel(row.user.role)}, registered ${formatDate(row.user.createdAt)}`] : []} />,
  },
  { field: 'role', headerName: 'Role', width: 140, sortable: false, wide: true, renderCell: ({ row }) => roleLabel(row.user.role) },
  { field: 'createdAt', headerName: 'Registered', width: 150, wide: true, renderCell: ({ row }) => formatDate(row.user.createdAt) },
  {
    field: 'actions', headerName: 'Actions', width: narrow ? 92 : 130, align: 'right', headerAlign: 'right', sortable: false,
    renderCell: ({ row, tabIndex }) => (
      <Button size="small" tabIndex={tabIndex} variant="outlined" onClick={() => ask(row)} aria-label={`Verify ${row.credential.email}`}>
        Verify
      </Button>
    ),
  },
];
