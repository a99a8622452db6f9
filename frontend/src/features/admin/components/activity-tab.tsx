import { useMemo } from 'react';
import { formatDateTime } from '../../../lib/format';
import { EmptyState } from '../../../ui/empty-state';
import { ChoiceField } from '../../../ui/form/choice-field';
import { ServerDataGrid, type ServerColumn } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconHistory } from '../../../ui/icons';
import { useNarrow } from '../../../ui/use-narrow';
import { useAudit, type AuditLine } from '../api';
import { messages } from '../messages';
import { FilterBar } from './filter-bar';
import { PersonCell } from './person-cell';

/** The acts of admins; signing in and the like is found by searching. */
const kinds = [
  { value: '', label: 'All acts' },
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
] as const satisfies readonly { value: AuditLine['kind'] | ''; label: string }[];
type Kind = (typeof kinds)[number]['value'];

/** Who did what to whom, newest first. */
export function ActivityTab() {
  const grid = useServerGrid({ name: 'activity', filters: { kind: kinds.map(({ value }) => value) } });
  const { kind } = grid.filters;
  const query = useAudit(grid.args, kind ? { kind } : {});
  const narrow = useNarrow();
  const columns = useMemo(() => activityColumns(narrow), [narrow]);
  return (
    <ServerDataGrid<AuditLine>
      label="activity"
      grid={grid}
      query={query}
      failedText={messages.loadFailed}
      columns={columns}
      stackedHeight={104}
      toolbar={
        <FilterBar label="Search by account or admin..." grid={grid}>
          <ChoiceField<Kind> label="What" hideLabel value={kind} choices={kinds} onChange={(value) => grid.setFilter('kind', value)} />
        </FilterBar>
      }
      empty={<EmptyState dense icon={IconHistory} title={messages.noActivity} />}
    />
  );
}

const actorOf = ({ actorEmail }: AuditLine) => actorEmail ?? 'nobody signed in';

const activityColumns = (narrow: boolean): ServerColumn<AuditLine>[] => [
  {
    field: 'description', headerName: 'What', flex: 1.2, minWidth: 170, sortable: false,
    renderCell: ({ row }) =>
      narrow ? <PersonCell name={row.description} email={row.userEmail} lines={[`By ${actorOf(row)}`, row.reason, formatDateTime(row.at)]} /> : <PersonCell name={row.description} lines={[row.reason]} />,
  },
  { field: 'userEmail', headerName: 'Account', flex: 1, minWidth: 150, sortable: false, wide: true, renderCell: ({ row }) => <PersonCell email={row.userEmail} /> },
  { field: 'actorEmail', headerName: 'By', flex: 1, minWidth: 150, sortable: false, wide: true, renderCell: ({ row }) => <PersonCell email={actorOf(row)} /> },
  { field: 'ipAddress', headerName: 'From', width: 140, sortable: false, wide: true, renderCell: ({ row }) => row.ipAddress ?? '—' },
  { field: 'at', headerName: 'When', width: 230, sortable: false, wide: true, renderCell: ({ row }) => formatDateTime(row.at) },
];
