import { formatDate } from '../lib/format';
import type { ServerColumn } from '../ui/grid/server-data-grid';
import { StatusBadge } from '../ui/status-badge';
import { contactStatus, type ContactState } from './contact';

interface ListedContact extends ContactState {
  id: string;
  createdAt: string;
}

/** Status and Added Date of a contact; hidden on a phone. */
export const contactStateColumns = <Row extends ListedContact>(addedWidth: number): ServerColumn<Row>[] => [
  {
    field: 'confirmed',
    headerName: 'Status',
    width: 150,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => <StatusBadge status={contactStatus(row)} />,
  },
  {
    field: 'createdAt',
    headerName: 'Added Date',
    width: addedWidth,
    hideOnMobile: true,
    renderCell: ({ row }) => formatDate(row.createdAt),
  },
];
