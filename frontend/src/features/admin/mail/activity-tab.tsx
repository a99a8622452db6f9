import { useMemo } from 'react';
import { client } from '../../../api/client';
import { formatDateTime } from '../../../lib/format';
import { FilterBar, GridFilter } from '../../../ui/grid/filter-bar';
import { PersonCell } from '../../../ui/grid/person-cell';
import { ServerDataGrid, type ServerColumn } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconHistory } from '../../../ui/icons';
import { EmptyState } from '../../../ui/loading/empty-state';
import { useNarrow } from '../../../ui/page/page';
import type { AuditEvent } from '../api';
import { messages } from '../messages';

/** The actions of admins. Sign-ins and the like are found by searching. */
const kinds = [
  { value: '', label: 'All actions' },
  { value: 'account.verified', label: 'Verified' },
  { value: 'account.suspended', label: 'Suspended' },
  { value: 'account.reinstated', label: 'Reinstated' },
  { value: 'admin.granted', label: 'Admin granted' },
  { value: 'admin.revoked', label: 'Admin revoked' },
  { value: 'limit.changed', label: 'Daily limit' },
  { value: 'contact.confirmed', label: 'Contact confirmed' },
  { value: 'contact.unconfirmed', label: 'Contact unconfirmed' },
  { value: 'import.confirmed', label: 'Import confirmed' },
  { value: 'import.declined', label: 'Import declined' },
  { value: 'suppression.added', label: 'Suppressed' },
  { value: 'suppression.lifted', label: 'Suppression lifted' },
  { value: 'network.imported', label: 'Default list import' },
  { value: 'provider.changed', label: 'Mail account' },
  { value: 'queue.changed', label: 'Queue' },
] as const satisfies readonly { value: AuditEvent['kind'] | ''; label: string }[];

/** Who did what to whom, newest first. */
export function ActivityTab() {
  const grid = useServerGrid({ name: 'activity', filters: { kind: kinds.map(({ value }) => value) } });
  const { kind } = grid.filters;
  const query = client.useListAllAuditEventsQuery({ ...grid.args, ...(kind && { kind }) });
  const narrow = useNarrow();
  const columns = useMemo(() => activityColumns(narrow), [narrow]);
  return (
    <ServerDataGrid<AuditEvent>
      label="activity"
      grid={grid}
      query={query}
      failedText={messages.loadFailed}
      columns={columns}
      stackedHeight={104}
      toolbar={
        <FilterBar label="Search by account or admin..." grid={grid}>
          <GridFilter grid={grid} name="kind" label="What" choices={kinds} />
        </FilterBar>
      }
      empty={<EmptyState dense icon={IconHistory} title={messages.noActivity} />}
    />
  );
}

const actorText = ({ actorEmail }: AuditEvent) => actorEmail ?? 'nobody signed in';

const activityColumns = (narrow: boolean): ServerColumn<AuditEvent>[] => [
  {
    field: 'description',
    headerName: 'What',
    flex: 1.2,
    minWidth: 170,
    sortable: false,
    renderCell: ({ row }) =>
      narrow ? (
        <PersonCell
          name={row.description}
          email={row.userEmail}
          lines={[`By ${actorText(row)}`, row.reason, formatDateTime(row.at)]}
        />
      ) : (
        <PersonCell name={row.description} lines={[row.reason]} />
      ),
  },
  {
    field: 'userEmail',
    headerName: 'Account',
    flex: 1,
    minWidth: 150,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => <PersonCell email={row.userEmail} />,
  },
  {
    field: 'actorEmail',
    headerName: 'By',
    flex: 1,
    minWidth: 150,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => <PersonCell email={actorText(row)} />,
  },
  {
    field: 'ipAddress',
    headerName: 'From',
    width: 140,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => row.ipAddress ?? '—',
  },
  {
    field: 'at',
    headerName: 'When',
    width: 230,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => formatDateTime(row.at),
  },
];
