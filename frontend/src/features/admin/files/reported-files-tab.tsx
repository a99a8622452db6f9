import Box from '@mui/material/Box';
import { useMemo, useState } from 'react';
import { client } from '../../../api/client';
import { formatDateTime, plural } from '../../../lib/format';
import { detailsText } from '../../../shared/files/file-texts';
import { PersonCell } from '../../../ui/grid/person-cell';
import { RowButton } from '../../../ui/grid/row-button';
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
  const [dismiss] = client.useDismissFileReportsMutation();
  const narrow = useNarrow();
  const columns = useMemo(() => {
    const askDismiss = (file: ReportedFile) =>
      setAction({
        title: 'Dismiss reports',
        text: `Dismiss ${plural(file.reports, 'report')} of ${namedOf(file)} of ${ownerOf(file)}? It stays shared, and a new report lists it here again.`,
        confirmLabel: 'Dismiss',
        run: (reason) => dismiss({ id: file.id, reasonDto: { reason } }).unwrap(),
        done: messages.reportsDismissed,
        doneText: nameOf(file),
        failed: messages.reportsDismissFailed,
      });
    const askTakeDown = (file: ReportedFile) =>
      setAction({
        title: 'Take file down',
        text: `Take down ${namedOf(file)} of ${ownerOf(file)}? All its links stop working at once, it cannot be sent any more, and its owner cannot upload it again.`,
        confirmLabel: 'Take down',
        destructive: true,
        run: (reason) => takeDown({ id: file.id, reasonDto: { reason } }).unwrap(),
        done: messages.fileTakenDown,
        doneText: nameOf(file),
        failed: messages.fileTakeDownFailed,
      });
    return reportedColumns(narrow, { askDismiss, askTakeDown });
  }, [narrow, dismiss, takeDown]);
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
const namedOf = ({ name }: ReportedFile) => (name ? `"${name}"` : 'a deleted file');
const ownerOf = ({ userEmail }: ReportedFile) => userEmail ?? 'a closed account';

const State = ({ file }: { file: ReportedFile }) =>
  file.takenDownAt ? (
    <StatusBadge status="cancelled" word="Taken down" />
  ) : (
    <StatusBadge status="complained" word="Reported" />
  );

type Ask = (file: ReportedFile) => void;

const reportedColumns = (
  narrow: boolean,
  { askDismiss, askTakeDown }: { askDismiss: Ask; askTakeDown: Ask },
): ServerColumn<ReportedFile>[] => [
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
  actionsColumn(narrow ? 110 : 230, ({ row, tabIndex }) =>
    row.takenDownAt ? null : (
      <Box sx={{ display: 'flex', flexDirection: narrow ? 'column' : 'row', gap: 1 }}>
        <RowButton tabIndex={tabIndex} onClick={() => askDismiss(row)} label={`Dismiss reports of ${nameOf(row)}`}>
          Dismiss
        </RowButton>
        <RowButton tabIndex={tabIndex} onClick={() => askTakeDown(row)} label={`Take down ${nameOf(row)}`}>
          Take down
        </RowButton>
      </Box>
    ),
  ),
];
