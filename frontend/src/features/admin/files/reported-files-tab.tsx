import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { client } from '../../../api/client';
import { formatDateTime, plural } from '../../../lib/format';
import { detailsText } from '../../../shared/files/file-texts';
import { PersonCell } from '../../../ui/grid/person-cell';
import { actionsColumn, ServerDataGrid, type ServerColumn } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconFile } from '../../../ui/icons';
import { EmptyState } from '../../../ui/loading/empty-state';
import { useNarrow } from '../../../ui/page/page';
import { StatusBadge } from '../../../ui/status-badge';
import type { ReportedFile } from '../api';
import { ConfirmActionDialog, type AdminAction } from '../confirm-action-dialog';
import { messages } from '../messages';

/** Shared files that readers reported: their names and owners, never their content. */
export function ReportedFilesTab() {
  const [action, setAction] = useState<AdminAction | null>(null);
  const grid = useServerGrid({ name: 'files' });
  const { limit, cursor } = grid.args;
  const query = client.useListReportedFilesQuery({ limit, ...(cursor && { cursor }) });
  const [takeDown] = client.useTakeDownFileMutation();
  const narrow = useNarrow();
  const columns = useMemo(() => {
    const ask = (file: ReportedFile) =>
      setAction({
        title: 'Take file down',
        text: `Take down ${file.name ? `"${file.name}"` : 'a deleted file'} of ${ownerOf(file)}? All its links stop working at once, it cannot be sent any more, and its owner cannot upload it again.`,
        confirmLabel: 'Take down',
        destructive: true,
        run: (reason) => takeDown({ id: file.id, reasonDto: { reason } }).unwrap(),
        done: messages.fileTakenDown,
        doneText: nameOf(file),
        failed: messages.fileTakeDownFailed,
      });
    return reportedColumns(narrow, ask);
  }, [narrow, takeDown]);
  return (
    <>
      <ServerDataGrid<ReportedFile>
        label="reported files"
        grid={grid}
        query={query}
        failedText={messages.loadFailed}
        columns={columns}
        stackedHeight={112}
        empty={<EmptyState dense icon={IconFile} title={messages.noReportedFiles} />}
      />
      {action && <ConfirmActionDialog action={action} onClose={() => setAction(null)} />}
    </>
  );
}

const nameOf = ({ name }: ReportedFile) => name || 'Deleted file';
const ownerOf = ({ userEmail }: ReportedFile) => userEmail ?? 'a closed account';

const State = ({ file }: { file: ReportedFile }) =>
  file.takenDownAt ? (
    <StatusBadge status="cancelled" word="Taken down" />
  ) : (
    <StatusBadge status="complained" word="Reported" />
  );

const reportedColumns = (narrow: boolean, ask: (file: ReportedFile) => void): ServerColumn<ReportedFile>[] => [
  {
    field: 'name',
    headerName: 'File',
    flex: 1,
    minWidth: 170,
    sortable: false,
    renderCell: ({ row }) => (
      <PersonCell
        name={nameOf(row)}
        email={ownerOf(row)}
        lines={
          narrow
            ? [detailsText(row), `${plural(row.reports, 'report')}, the last ${formatDateTime(row.reportedAt)}`]
            : []
        }
        below={narrow ? <State file={row} /> : undefined}
      />
    ),
  },
  {
    field: 'byteSize',
    headerName: 'Size',
    width: 130,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => detailsText(row),
  },
  {
    field: 'reports',
    headerName: 'Reports',
    width: 90,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => row.reports,
  },
  {
    field: 'reportedAt',
    headerName: 'Last report',
    width: 230,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => formatDateTime(row.reportedAt),
  },
  {
    field: 'takenDownAt',
    headerName: 'State',
    width: 140,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => <State file={row} />,
  },
  actionsColumn(narrow ? 110 : 130, ({ row, tabIndex }) =>
    row.takenDownAt ? null : (
      <Button
        size="small"
        tabIndex={tabIndex}
        variant="outlined"
        color="inherit"
        onClick={() => ask(row)}
        aria-label={`Take down ${nameOf(row)}`}
      >
        Take down
      </Button>
    ),
  ),
];
