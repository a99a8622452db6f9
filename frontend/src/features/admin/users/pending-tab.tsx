import { useMemo, useState } from 'react';
import { client } from '../../../api/client';
import { formatDate, fullName } from '../../../lib/format';
import { roleLabel } from '../../../lib/roles';
import { FilterBar } from '../../../ui/grid/filter-bar';
import { PersonCell } from '../../../ui/grid/person-cell';
import { RowButton } from '../../../ui/grid/row-button';
import { actionsColumn, ServerDataGrid, type ServerColumn } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconSearch, IconUserCheck } from '../../../ui/icons';
import { EmptyState } from '../../../ui/loading/empty-state';
import { useNarrow } from '../../../ui/page/page';
import type { PendingUser } from '../api';
import { ConfirmActionDialog, type AdminAction } from '../confirm-action-dialog';
import { messages } from '../messages';

/** Users who have not verified their address. */
export function PendingTab() {
  const grid = useServerGrid({ name: 'pending' });
  const query = client.useListPendingUsersQuery(grid.args);
  const [action, setAction] = useState<AdminAction | null>(null);
  const [verify] = client.useVerifyUserMutation();
  const narrow = useNarrow();
  const columns = useMemo(() => {
    const ask = ({ user, credential }: PendingUser) =>
      setAction({
        title: 'Verify user',
        text: `Verify ${fullName(user)} (${credential.email})? The account may then send mail, and the confirmation mails to its contacts go out.`,
        confirmLabel: 'Verify',
        run: (reason) => verify({ userId: user.id, reasonDto: { reason } }).unwrap(),
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
        empty={
          <EmptyState
            dense
            icon={grid.search ? IconSearch : IconUserCheck}
            title={grid.search ? messages.noUsers : messages.nobodyPending}
          />
        }
      />
      {action && <ConfirmActionDialog action={action} onClose={() => setAction(null)} />}
    </>
  );
}

const pendingColumns = (narrow: boolean, ask: (row: PendingUser) => void): ServerColumn<PendingUser>[] => [
  {
    field: 'name',
    headerName: 'Name',
    flex: 1,
    minWidth: 150,
    renderCell: ({ row }) => (
      <PersonCell
        name={fullName(row.user)}
        email={row.credential.email}
        lines={narrow ? [`${roleLabel(row.user.role)}, registered ${formatDate(row.user.createdAt)}`] : []}
      />
    ),
  },
  {
    field: 'role',
    headerName: 'Role',
    width: 140,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => roleLabel(row.user.role),
  },
  {
    field: 'createdAt',
    headerName: 'Registered',
    width: 150,
    hideOnMobile: true,
    renderCell: ({ row }) => formatDate(row.user.createdAt),
  },
  actionsColumn(narrow ? 92 : 130, ({ row, tabIndex }) => (
    <RowButton tabIndex={tabIndex} color="primary" onClick={() => ask(row)} label={`Verify ${row.credential.email}`}>
      Verify
    </RowButton>
  )),
];
