import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { formatDate, plural } from '../../../lib/format';
import type { StoredFile } from '../../../shared/files/documents';
import { detailsText, downloadsText } from '../../../shared/files/file-texts';
import { ActionMenu } from '../../../ui/action-menu';
import { actionsColumn, type ServerColumn } from '../../../ui/grid/server-data-grid';
import { IconDelete, IconEdit, IconFile, IconUpload } from '../../../ui/icons';
import { StatusBadge } from '../../../ui/status-badge';

/** Actions for a file. */
export type FileAction = 'open' | 'rename' | 'replace' | 'delete';
type OnFileAction = (act: FileAction, file: StoredFile) => void;

const usedText = ({ usedIn }: StoredFile) => (usedIn === 0 ? 'Not sent yet' : plural(usedIn, 'email'));
const expiryText = ({ expiresAt }: StoredFile) => (expiresAt ? formatDate(expiresAt) : 'No link works');

/** Badge for a state in which a file cannot be sent. */
export function FileState({ state }: Pick<StoredFile, 'state'>) {
  if (state === 'checking') return <StatusBadge status="pending" word="Checking…" />;
  if (state === 'refused') return <StatusBadge status="failed" word="Refused: contains a virus" />;
  return state === 'gone' ? <StatusBadge status="warning" word="Taken down" /> : null;
}

/**
 * Columns: name, size, number of emails, downloads and end of the last link. Below 768 px the first column shows all of
 * them.
 */
export const fileColumns = (narrow: boolean, act: OnFileAction): ServerColumn<StoredFile>[] => [
  {
    field: 'name',
    headerName: 'Name',
    flex: 1.4,
    minWidth: 170,
    renderCell: ({ row, tabIndex }) => (
      <NameCell file={row} tabIndex={tabIndex} onOpen={() => act('open', row)}>
        {narrow && (
          <>
            <Line>{`${detailsText(row)}, ${usedText(row)}`}</Line>
            <Line>{downloadsText(row)}</Line>
            {row.expiresAt && <Line>{`until ${expiryText(row)}`}</Line>}
          </>
        )}
      </NameCell>
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
    field: 'usedIn',
    headerName: 'Used in',
    width: 120,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => usedText(row),
  },
  {
    field: 'downloads',
    headerName: 'Downloads',
    flex: 0.8,
    minWidth: 190,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => downloadsText(row),
  },
  {
    field: 'expiresAt',
    headerName: 'Expires',
    width: 130,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => expiryText(row),
  },
  actionsColumn(84, ({ row, tabIndex }) => (
    <ActionMenu
      label={`Actions for ${row.name}`}
      tabIndex={tabIndex}
      actions={[
        { label: 'Open', icon: IconFile, onChoose: () => act('open', row) },
        { label: 'Rename', icon: IconEdit, onChoose: () => act('rename', row) },
        { label: 'Replace', icon: IconUpload, onChoose: () => act('replace', row) },
        { label: 'Delete', icon: IconDelete, onChoose: () => act('delete', row), destructive: true },
      ]}
    />
  )),
];

const Line = ({ children }: { children: ReactNode }) => (
  <Typography variant="caption" color="textSecondary" noWrap component="div">
    {children}
  </Typography>
);

/** @param tabIndex from the grid's roving tabindex: 0 only in the focused cell */
function NameCell({
  file,
  tabIndex,
  onOpen,
  children,
}: {
  file: StoredFile;
  tabIndex: 0 | -1;
  onOpen: () => void;
  children: ReactNode;
}) {
  return (
    <Box sx={{ minWidth: 0, width: '100%', lineHeight: 1.35 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
        <ButtonBase
          onClick={onOpen}
          tabIndex={tabIndex}
          aria-haspopup="dialog"
          sx={{ minWidth: 0, borderRadius: 0.5, font: 'inherit', fontWeight: 560, justifyContent: 'flex-start' }}
        >
          <Typography component="span" noWrap title={file.name} sx={{ font: 'inherit' }}>
            {file.name}
          </Typography>
        </ButtonBase>
        <FileState state={file.state} />
      </Box>
      {children}
    </Box>
  );
}
