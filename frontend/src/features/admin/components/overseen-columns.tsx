import Button from '@mui/material/Button';
import { formatDate } from '../../../lib/format';
import type { ServerColumn } from '../../../ui/grid/server-data-grid';
import { StatusBadge } from '../../../ui/status-badge';
import type { OverseenContact } from '../api';
import { PersonCell } from './person-cell';

const statusOf = ({ suppressed, confirmed }: OverseenContact) => suppressed ?? (confirmed ? 'confirmed' : 'pending');

const ownerOf = ({ ownerEmail }: OverseenContact) => ownerEmail ?? 'shared with all users';

/** Email, List, Status, Added Date, Actions. */
export const overseenColumns = (narrow: boolean, ask: (contact: OverseenContact) => void): ServerColumn<OverseenContact>[] => [
  {
    field: 'email', headerName: 'Email', flex: 1, minWidth: 150, sortable: false,
    renderCell: ({ row }) => <PersonCell email={row.email} lines={narrow ? [`${row.listName}, ${ownerOf(row)}`, `Added ${formatDate(row.createdAt)}`] : []} below={narrow ? <StatusBadge status={statusOf(row)} /> : undefined} />,
  },
  {
    field: 'listName', headerName: 'List', flex: 1, minWidth: 170, sortable: false, wide: true,
    renderCell: ({ row }) => <PersonCell name={row.listName} email={ownerOf(row)} />,
  },
  { field: 'confirmed', headerName: 'Status', width: 150, sortable: false, wide: true, renderCell: ({ row }) => <StatusBadge status={statusOf(row)} /> },
  { field: 'createdAt', headerName: 'Added Date', width: 130, wide: true, renderCell: ({ row }) => formatDate(row.createdAt) },
  {
    field: 'actions', headerName: 'Actions', width: narrow ? 116 : 130, align: 'right', headerAlign: 'right', sortable: false,
    renderCell: ({ row, tabIndex }) => (
      <Button size="small" tabIndex={tabIndex} variant="outlined" color={row.confirmed ? 'inherit' : 'primary'} onClick={() => ask(row)} aria-label={`${row.confirmed ? 'Unconfirm' : 'Confirm'} ${row.email}`}>
        {row.confirmed ? 'Unconfirm' : 'Confirm'}
      </Button>
    ),
  },
];
