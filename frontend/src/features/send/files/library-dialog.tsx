import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { plural } from '../../../lib/format';
import { MAX_FILES, useDocuments, type StoredFile } from '../../../shared/files/documents';
import { detailsText } from '../../../shared/files/file-texts';
import { SearchField } from '../../../ui/form/search-field';
import { IconFile, IconSearch } from '../../../ui/icons';
import { shownData } from '../../../ui/loading/data-age';
import { EmptyState } from '../../../ui/loading/empty-state';
import { SectionError } from '../../../ui/loading/section-error';
import { LoadingRegion, RowSkeletons } from '../../../ui/loading/skeletons';
import { fileMessages } from './messages';

const FILES_SHOWN = 50;

interface LibraryDialogProps {
  /** Ids of the files that are already part of the email. */
  chosen: readonly string[];
  onChoose: (ids: string[]) => void;
  onClose: () => void;
}

/** Chooses among the documents that were uploaded earlier. */
export function LibraryDialog({ chosen, onChoose, onClose }: LibraryDialogProps) {
  const id = useId();
  const [search, setSearch] = useState('');
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const query = useDocuments({ limit: FILES_SHOWN, ...(search && { search }) });
  const data = shownData(query);
  const isFull = chosen.length + ticked.length >= MAX_FILES;
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>Choose from Library</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        <SearchField label="Search files..." value={search} onSearch={setSearch} />
        {query.error && !data && (
          <SectionError
            message={fileMessages.listFailed}
            pending={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        )}
        {!query.error && !data && (
          <LoadingRegion label="Loading files">
            <RowSkeletons />
          </LoadingRegion>
        )}
        {data?.rows.length === 0 && (
          <EmptyState
            dense
            icon={search ? IconSearch : IconFile}
            title={search ? fileMessages.noMatch : fileMessages.none}
          />
        )}
        {data && data.rows.length > 0 && (
          <Box component="ul" aria-label="Files" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {data.rows.map((file) => (
              <Choice
                key={file.id}
                file={file}
                isAdded={chosen.includes(file.id)}
                isTicked={ticked.includes(file.id)}
                isFull={isFull}
                onTick={(isOn) => setTicked((now) => (isOn ? [...now, file.id] : now.filter((one) => one !== file.id)))}
              />
            ))}
          </Box>
        )}
        {data && data.total > data.rows.length && (
          <Typography variant="body2" color="textSecondary">
            {`${plural(data.total - data.rows.length, 'more file')}. Search to find them.`}
          </Typography>
        )}
        {isFull && (
          <Typography variant="body2" color="textSecondary" role="status">
            {fileMessages.tooMany}
          </Typography>
        )}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" color="inherit" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="contained" disabled={ticked.length === 0} onClick={() => onChoose([...ticked])}>
          {ticked.length > 1 ? `Add ${ticked.length} files` : 'Add'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** States in which a file cannot be sent. */
const unusable = { refused: fileMessages.infected, gone: 'Taken down' } as const;

function Choice({
  file,
  isAdded,
  isTicked,
  isFull,
  onTick,
}: {
  file: StoredFile;
  isAdded: boolean;
  isTicked: boolean;
  isFull: boolean;
  onTick: (isOn: boolean) => void;
}) {
  const { state, name } = file;
  const fault = state === 'refused' || state === 'gone' ? unusable[state] : null;
  const note = isAdded ? 'In this email' : (fault ?? (state === 'checking' ? 'Checking…' : null));
  return (
    <Box component="li" sx={{ borderBottom: 1, borderColor: 'divider', py: 0.75 }}>
      <FormControlLabel
        disabled={isAdded || fault !== null || (isFull && !isTicked)}
        control={<Checkbox checked={isTicked || isAdded} onChange={(_event, isOn) => onTick(isOn)} />}
        label={
          <>
            <Box component="span" sx={{ display: 'block', overflowWrap: 'anywhere' }}>
              {name}
            </Box>
            <Typography component="span" variant="body2" color="textSecondary">
              {[detailsText(file), note].filter(Boolean).join(', ')}
            </Typography>
          </>
        }
      />
    </Box>
  );
}
