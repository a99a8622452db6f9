import Button from '@mui/material/Button';
import { formatCount, formatDate, fullName } from '../../../lib/format';
import { planLabel } from '../../../lib/plan';
import { roleLabel } from '../../../lib/roles';
import type { ServerColumn } from '../../../ui/grid/server-data-grid';
import { Tag } from '../../../ui/tag';
import type { AdminUser } from '../api';
import { PersonCell } from './person-cell';
import { UserStatus } from './user-status';

/** Name, Role, Plan, Sent Today, Status, Joined, Actions. */
export const userColumns = ({ narrow, onOpen }: { narrow: boolean; onOpen: (id: string) => void }): ServerColumn<AdminUser>[] => [
  {
    field: 'name', headerName: 'Name', flex: 1, minWidth: 150,
    renderCell: ({ row }) =>
      narrow ? (
        <PersonCell name={fullName(row)} email={row.email} lines={[`${roleLabel(row.role)}, ${planLabel(row.tier)}, ${formatCount(row.emailsSentToday)} sent today`]} below={<UserStatus user={row} />} />
      ) : (
        <PersonCell name={fullName(row)} email={row.email} />
      ),
  },
  { field: 'role', headerName: 'Role', width: 120, sortable: false, wide: true, renderCell: ({ row }) => roleLabel(row.role) },
  { field: 'tier', headerName: 'Plan', width: 90, sortable: false, wide: true, renderCell: ({ row }) => <Tag accent={row.tier !== 'free'}>{planLabel(row.tier)}</Tag> },
  { field: 'emailsSentToday', headerName: 'Sent Today', width: 110, sortable: false, wide: true, align: 'right', headerAlign: 'right', renderCell: ({ row }) => formatCount(row.emailsSentToday) },
  { field: 'status', headerName: 'Status', width: 210, sortable: false, wide: true, renderCell: ({ row }) => <UserStatus user={row} /> },
  { field: 'createdAt', headerName: 'Joined', width: 120, wide: true, renderCell: ({ row }) => formatDate(row.createdAt) },
  {
    field: 'actions', headerName: 'Actions', width: narrow ? 84 : 100, align: 'right', headerAlign: 'right', sortable: false,
    renderCell: ({ row, tabIndex }) => (
      <Button size="small" tabIndex={tabIndex} variant="outlined" color="inherit" onClick={() => onOpen(row.id)} aria-label={`Open ${row.email}`}>
        Open
      </Button>
    ),
  },
];
