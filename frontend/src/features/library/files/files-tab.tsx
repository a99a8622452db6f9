import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useMemo, useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { routes } from '../../../lib/routes';
import { useOpenInAddress } from '../../../lib/use-address';
import { useDocuments, type StoredFile } from '../../../shared/files/documents';
import { FilterBar } from '../../../ui/grid/filter-bar';
import { ServerDataGrid } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconFile, IconSearch } from '../../../ui/icons';
import { EmptyState } from '../../../ui/loading/empty-state';
import { useNarrow } from '../../../ui/page/page';
import { messages } from '../messages';
import { fileColumns, type FileAction } from './file-columns';
import { FileDialog } from './file-dialog';
import { DeleteFile, RenameFile } from './file-dialogs';
import { Pictures } from './pictures';
import { ReplaceFile } from './replace-file';
import { SpaceUsed } from './space-used';

/** Documents that go with emails, and pictures of messages. */
export function FilesTab() {
  return (
    <Stack sx={{ gap: 3 }}>
      <SpaceUsed />
      <Documents />
      <Pictures />
    </Stack>
  );
}

function Documents() {
  const grid = useServerGrid();
  const query = useDocuments(grid.args);
  const [opened, open, close] = useOpenInAddress('file');
  const [dialog, setDialog] = useState<{ act: Exclude<FileAction, 'open'>; file: StoredFile } | null>(null);
  const narrow = useNarrow();
  const columns = useMemo(
    () => fileColumns(narrow, (act, file) => (act === 'open' ? open(file.id) : setDialog({ act, file }))),
    [narrow, open],
  );
  const done = () => setDialog(null);
  return (
    <>
      <ServerDataGrid<StoredFile>
        label="files"
        grid={grid}
        query={query}
        failedText={messages.filesFailed}
        columns={columns}
        stackedHeight={104}
        toolbar={<FilterBar label="Search files..." grid={grid} />}
        empty={
          grid.search ? (
            <EmptyState dense icon={IconSearch} title={messages.noFileMatch} />
          ) : (
            <EmptyState
              icon={IconFile}
              title={messages.noFiles}
              action={
                <Button variant="contained" component={RouterLink} to={routes.send.path}>
                  New email
                </Button>
              }
            />
          )
        }
      />
      {opened && <FileDialog id={opened} onAct={(act, file) => setDialog({ act, file })} onClose={close} />}
      {dialog?.act === 'rename' && <RenameFile file={dialog.file} onClose={done} />}
      {dialog?.act === 'replace' && <ReplaceFile file={dialog.file} onClose={done} />}
      {dialog?.act === 'delete' && (
        <DeleteFile
          file={dialog.file}
          onDeleted={() => {
            if (opened === dialog.file.id) close();
          }}
          onClose={done}
        />
      )}
    </>
  );
}
