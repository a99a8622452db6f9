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

/** Users' actions on their own accounts. They have no filter of their own and are found by searching. */
type OwnAction =
  | 'account.deleted'
  | 'account.registered'
  | 'data.exported'
  | 'profile.changed'
  | 'role.changed'
  | `password.${string}`
  | `picture.${string}`
  | `session.${string}`;

type AdminActionKind = Exclude<AuditEvent['kind'], OwnAction>;

/** Labels of all admin actions. A new kind of event needs a label here, or must be added to OwnAction. */
const labels: Record<AdminActionKind, string> = {
  'account.verified': 'Verified',
  'account.suspended': 'Suspended',
  'account.reinstated': 'Reinstated',
  'admin.granted': 'Admin granted',
  'admin.revoked': 'Admin revoked',
  'limit.changed': 'Daily limit',
  'contact.confirmed': 'Contact confirmed',
  'contact.unconfirmed': 'Contact unconfirmed',
  'file.report_dismissed': 'File reports dismissed',
  'file.taken_down': 'File taken down',
  'import.confirmed': 'Import confirmed',
  'import.declined': 'Import declined',
  'suppression.added': 'Suppressed',
  'suppression.lifted': 'Suppression lifted',
  'network.changed': 'Default list changed',
  'network.imported': 'Default list import',
  'network.contact_added': 'Default list: contact added',
  'network.contact_changed': 'Default list: contact changed',
  'network.contact_removed': 'Default list: contact removed',
  'provider.added': 'Mail account added',
  'provider.changed': 'Mail account changed',
  'provider.removed': 'Mail account removed',
  'provider.tested': 'Mail account tested',
  'queue.changed': 'Queue',
};
const kinds: readonly { value: AdminActionKind | ''; label: string }[] = [
  { value: '', label: 'All actions' },
  ...(Object.keys(labels) as AdminActionKind[]).map((value) => ({ value, label: labels[value] })),
];

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
