import { useMemo } from 'react';
import { client } from '../../../api/client';
import { formatCount, formatDate, fullName } from '../../../lib/format';
import { roleLabel } from '../../../lib/roles';
import { useOpenInAddress } from '../../../lib/use-address';
import { planLabel } from '../../../shared/plan';
import { FilterBar, GridFilter } from '../../../ui/grid/filter-bar';
import { PersonCell } from '../../../ui/grid/person-cell';
import { RowButton } from '../../../ui/grid/row-button';
import { actionsColumn, ServerDataGrid, type ServerColumn } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconSearch } from '../../../ui/icons';
import { EmptyState } from '../../../ui/loading/empty-state';
import { useNarrow } from '../../../ui/page/page';
import { Tag } from '../../../ui/tag';
import type { AdminUser, UserFilter } from '../api';
import { messages } from '../messages';
import { UserDrawer } from './user-drawer';
import { UserStatus } from './user-status';

const choices = [
  { value: 'all', label: 'All users' },
  { value: 'admins', label: 'Admins' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'unverified', label: 'Unverified' },
] as const;
type Choice = (typeof choices)[number]['value'];
const filters: Record<Choice, UserFilter> = {
  all: {},
  admins: { isAdmin: true },
  suspended: { suspended: true },
  unverified: { isVerified: false },
};

/** Every account. A row opens the account's details and actions. */
export function UsersTab() {
  const [opened, open, close] = useOpenInAddress('person');
  const grid = useServerGrid({ name: 'users', filters: { show: choices.map(({ value }) => value) } });
  const { show } = grid.filters;
  const query = client.useListUsersQuery({ ...grid.args, ...filters[show] });
  const narrow = useNarrow();
  const columns = useMemo(() => userColumns({ narrow, onOpen: open }), [narrow, open]);
  return (
    <>
      <ServerDataGrid<AdminUser>
        label="users"
        grid={grid}
        query={query}
        failedText={messages.loadFailed}
        columns={columns}
        stackedHeight={104}
        toolbar={
          <FilterBar label="Search users..." grid={grid}>
            <GridFilter grid={grid} name="show" label="Which users" choices={choices} />
          </FilterBar>
        }
        empty={<EmptyState dense icon={IconSearch} title={messages.noUsers} />}
      />
      <UserDrawer userId={opened} onClose={close} />
    </>
  );
}

/** Name, Role, Plan, Sent Today, Status, Joined, Actions. */
const userColumns = ({
  narrow,
  onOpen,
}: {
  narrow: boolean;
  onOpen: (id: string) => void;
}): ServerColumn<AdminUser>[] => [
  {
    field: 'name',
    headerName: 'Name',
    flex: 1,
    minWidth: 150,
    renderCell: ({ row }) =>
      narrow ? (
        <PersonCell
          name={fullName(row)}
          email={row.email}
          lines={[`${roleLabel(row.role)}, ${planLabel(row.tier)}, ${formatCount(row.emailsSentToday)} sent today`]}
          below={<UserStatus user={row} />}
        />
      ) : (
        <PersonCell name={fullName(row)} email={row.email} />
      ),
  },
  {
    field: 'role',
    headerName: 'Role',
    width: 120,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => roleLabel(row.role),
  },
  {
    field: 'tier',
    headerName: 'Plan',
    width: 90,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => <Tag accent={row.tier !== 'free'}>{planLabel(row.tier)}</Tag>,
  },
  {
    field: 'emailsSentToday',
    headerName: 'Sent Today',
    width: 110,
    sortable: false,
    hideOnMobile: true,
    align: 'right',
    headerAlign: 'right',
    renderCell: ({ row }) => formatCount(row.emailsSentToday),
  },
  {
    field: 'status',
    headerName: 'Status',
    width: 270,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => <UserStatus user={row} />,
  },
  {
    field: 'createdAt',
    headerName: 'Joined',
    width: 120,
    hideOnMobile: true,
    renderCell: ({ row }) => formatDate(row.createdAt),
  },
  actionsColumn(narrow ? 84 : 100, ({ row, tabIndex }) => (
    <RowButton tabIndex={tabIndex} onClick={() => onOpen(row.id)} label={`Open ${row.email}`}>
      Open
    </RowButton>
  )),
];
