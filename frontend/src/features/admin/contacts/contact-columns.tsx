import { formatDate } from '../../../lib/format';
import { contactStatus } from '../../../shared/contact';
import { contactStateColumns } from '../../../shared/contact-columns';
import { PersonCell } from '../../../ui/grid/person-cell';
import { RowButton } from '../../../ui/grid/row-button';
import { actionsColumn, type ServerColumn } from '../../../ui/grid/server-data-grid';
import { StatusBadge } from '../../../ui/status-badge';
import type { AdminContact } from '../api';

const ownerText = ({ ownerEmail }: AdminContact) => ownerEmail ?? 'shared with all users';

/** Email, List, Status, Added Date, Actions. */
export const contactColumns = (narrow: boolean, ask: (contact: AdminContact) => void): ServerColumn<AdminContact>[] => [
  {
    field: 'email',
    headerName: 'Email',
    flex: 1,
    minWidth: 150,
    sortable: false,
    renderCell: ({ row }) => (
      <PersonCell
        email={row.email}
        lines={narrow ? [`${row.listName}, ${ownerText(row)}`, `Added ${formatDate(row.createdAt)}`] : []}
        below={narrow ? <StatusBadge status={contactStatus(row)} /> : undefined}
      />
    ),
  },
  {
    field: 'listName',
    headerName: 'List',
    flex: 1,
    minWidth: 170,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => <PersonCell name={row.listName} email={ownerText(row)} />,
  },
  ...contactStateColumns<AdminContact>(130),
  actionsColumn(narrow ? 116 : 130, ({ row, tabIndex }) => (
    <RowButton
      tabIndex={tabIndex}
      color={row.confirmed ? 'inherit' : 'primary'}
      onClick={() => ask(row)}
      label={`${row.confirmed ? 'Unconfirm' : 'Confirm'} ${row.email}`}
    >
      {row.confirmed ? 'Unconfirm' : 'Confirm'}
    </RowButton>
  )),
];
