import { useMemo } from 'react';
import { client } from '../../../api/client';
import { formatAgo, formatCount, plural } from '../../../lib/format';
import { sendTypeLabel } from '../../../lib/roles';
import { FilterBar, GridFilter } from '../../../ui/grid/filter-bar';
import { PersonCell } from '../../../ui/grid/person-cell';
import { ServerDataGrid, type ServerColumn } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconSearch } from '../../../ui/icons';
import { EmptyState } from '../../../ui/loading/empty-state';
import { useNarrow } from '../../../ui/page/page';
import { RelativeTime } from '../../../ui/relative-time';
import { StatusBadge } from '../../../ui/status-badge';
import type { AdminSend } from '../api';
import { messages } from '../messages';

const days = [
  { value: 'today', label: 'Today' },
  { value: 'ever', label: 'All days' },
] as const;
const statuses = [
  { value: '', label: 'All statuses' },
  { value: 'pending', label: 'Pending' },
  { value: 'sent', label: 'Sent' },
  { value: 'failed', label: 'Failed' },
] as const;

/** The sends of all users. */
export function SendsTab() {
  const grid = useServerGrid({
    name: 'sends',
    filters: { day: days.map(({ value }) => value), status: statuses.map(({ value }) => value) },
  });
  const { day, status } = grid.filters;
  const query = client.useListSendsQuery({
    ...grid.args,
    ...(day === 'today' && { today: true }),
    ...(status && { status }),
  });
  const narrow = useNarrow();
  const columns = useMemo(() => sendColumns(narrow), [narrow]);
  return (
    <ServerDataGrid<AdminSend>
      label="sends"
      grid={grid}
      query={query}
      failedText={messages.loadFailed}
      columns={columns}
      stackedHeight={114}
      toolbar={
        <FilterBar label="Search by subject or sender..." grid={grid}>
          <GridFilter grid={grid} name="day" label="Day" choices={days} />
          <GridFilter grid={grid} name="status" label="Status" choices={statuses} />
        </FilterBar>
      }
      empty={<EmptyState dense icon={IconSearch} title={messages.noSends} />}
    />
  );
}

const sendColumns = (narrow: boolean): ServerColumn<AdminSend>[] => [
  {
    field: 'subject',
    headerName: 'Subject',
    flex: 1.2,
    minWidth: 150,
    sortable: false,
    renderCell: ({ row }) =>
      narrow ? (
        <PersonCell
          name={row.subject}
          email={row.senderEmail}
          lines={[
            `${sendTypeLabel[row.emailType]}, ${formatAgo(row.sentAt)}`,
            `${plural(row.recipientCount, 'recipient')}, ${formatCount(row.bounced)} bounced, ${plural(row.complained, 'complaint')}`,
          ]}
          below={<StatusBadge status={row.status} />}
        />
      ) : (
        <PersonCell name={row.subject} lines={[sendTypeLabel[row.emailType]]} />
      ),
  },
  {
    field: 'senderEmail',
    headerName: 'Sender',
    flex: 1,
    minWidth: 170,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => <PersonCell name={row.senderName} email={row.senderEmail} />,
  },
  {
    field: 'recipientCount',
    headerName: 'Recipients',
    width: 100,
    sortable: false,
    hideOnMobile: true,
    align: 'right',
    headerAlign: 'right',
    renderCell: ({ row }) => formatCount(row.recipientCount),
  },
  {
    field: 'bounced',
    headerName: 'Bounced',
    width: 90,
    sortable: false,
    hideOnMobile: true,
    align: 'right',
    headerAlign: 'right',
    renderCell: ({ row }) => formatCount(row.bounced),
  },
  {
    field: 'complained',
    headerName: 'Complaints',
    width: 105,
    sortable: false,
    hideOnMobile: true,
    align: 'right',
    headerAlign: 'right',
    renderCell: ({ row }) => formatCount(row.complained),
  },
  {
    field: 'sentAt',
    headerName: 'Sent',
    width: 140,
    hideOnMobile: true,
    renderCell: ({ row }) => <RelativeTime iso={row.sentAt} />,
  },
  {
    field: 'status',
    headerName: 'Status',
    width: 110,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => <StatusBadge status={row.status} />,
  },
];
