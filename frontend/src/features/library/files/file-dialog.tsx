import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { Theme } from '@mui/material/styles';
import { useId } from 'react';
import { formatDateTime } from '../../../lib/format';
import { useDocument, type StoredFile } from '../../../shared/files/documents';
import { detailsText, downloadsText } from '../../../shared/files/file-texts';
import { Facts } from '../../../ui/facts';
import { SectionError } from '../../../ui/loading/section-error';
import { LoadingRegion, RowSkeletons } from '../../../ui/loading/skeletons';
import { IconDelete, IconEdit, IconUpload } from '../../../ui/icons';
import { messages } from '../messages';
import { FileState, type FileAction } from './file-columns';
import { FileLinks } from './file-links';

interface FileDialogProps {
  id: string;
  onAct: (act: Exclude<FileAction, 'open'>, file: StoredFile) => void;
  onClose: () => void;
}

/** One document: its actions, and its link in each email. */
export function FileDialog({ id, onAct, onClose }: FileDialogProps) {
  const titleId = useId();
  const isPhone = useMediaQuery((theme: Theme) => theme.breakpoints.down('sm'));
  const { file, state, isFetching, refetch } = useDocument(id);
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth fullScreen={isPhone} aria-labelledby={titleId}>
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        {file?.name ?? 'File'}
      </DialogTitle>
      <DialogContent>
        {state === 'deleted' && <Alert severity="info">{messages.fileGone}</Alert>}
        {state === 'failed' && (
          <SectionError message={messages.fileFailed} pending={isFetching} onRetry={() => void refetch()} />
        )}
        {state === 'loading' && (
          <LoadingRegion label="Loading the file">
            <RowSkeletons />
          </LoadingRegion>
        )}
        {file && (
          <>
            <Box sx={{ mb: 1.5, '&:empty': { display: 'none' } }}>
              <FileState state={file.state} />
            </Box>
            <Facts
              facts={[
                ['Type and size', detailsText(file)],
                ['Uploaded', formatDateTime(file.createdAt)],
                ['Downloads', downloadsText(file)],
              ]}
            />
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 2 }}>
              <Act label="Rename" icon={IconEdit} onPress={() => onAct('rename', file)} />
              <Act label="Replace" icon={IconUpload} onPress={() => onAct('replace', file)} />
              <Act label="Delete" icon={IconDelete} onPress={() => onAct('delete', file)} />
            </Box>
            <Typography component="h3" variant="h3" sx={{ mt: 3, mb: 1 }}>
              Links in emails
            </Typography>
            <FileLinks links={file.links} />
          </>
        )}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" color="inherit" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Act({ label, icon: Mark, onPress }: { label: string; icon: typeof IconEdit; onPress: () => void }) {
  return (
    <Button
      size="small"
      variant="outlined"
      color="inherit"
      startIcon={<Mark size={15} aria-hidden />}
      onClick={onPress}
    >
      {label}
    </Button>
  );
}
