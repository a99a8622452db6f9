import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useRef } from 'react';
import { DropArea } from '../../../ui/form/drop-area';
import { FOLDERS_REFUSED } from '../../../ui/form/dropped-files';
import { FileInput } from '../../../ui/form/file-input';
import { IconUpload } from '../../../ui/icons';

const MAX_FILE_BYTES = 100 * 1024 * 1024;
const READABLE_NAME = /\.(csv|tsv|txt|xlsx)$/i;

/** Why a file is refused before the upload; the server checks the content. */
function refusalOf(file: File): string | null {
  if (!READABLE_NAME.test(file.name)) return `${file.name} cannot be read. Save it as .xlsx or CSV.`;
  if (file.size > MAX_FILE_BYTES) return 'The file is larger than 100 MB. Please split it into smaller files.';
  return file.size === 0 ? `${file.name} is empty.` : null;
}

interface DropZoneProps {
  /** Name of the file that is being uploaded; null if there is none. */
  sending: string | null;
  disabled: boolean;
  onFile: (file: File) => void;
  onRefused: (reason: string) => void;
}

/** Takes one file, by drag and drop or by the file chooser. */
export function DropZone({ sending, disabled, onFile, onRefused }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const take = (files: readonly File[]) => {
    const [file] = files;
    if (!file || disabled) return;
    const refusal = files.length > 1 ? 'One file at a time, please.' : refusalOf(file);
    if (refusal) onRefused(refusal);
    else onFile(file);
  };
  return (
    <DropArea
      onDrop={({ files, hasFolders }) => {
        if (!hasFolders) take(files);
        else if (!disabled) onRefused(FOLDERS_REFUSED);
      }}
      sx={{
        display: 'grid',
        alignContent: 'center',
        justifyItems: 'center',
        gap: 1.5,
        textAlign: 'center',
        px: 3,
        py: 5,
      }}
    >
      <Box sx={{ p: 1.5, borderRadius: 3, bgcolor: 'accentSoft', color: 'primary.main' }}>
        <IconUpload size={22} aria-hidden />
      </Box>
      <div>
        <Typography sx={{ fontWeight: 560 }}>Drop a CSV or Excel file, or paste rows</Typography>
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
          .csv, .tsv, .txt or .xlsx, up to 100 MB
        </Typography>
      </div>
      <FileInput ref={input} label="File to import" accept=".csv,.tsv,.txt,.xlsx" onFile={(file) => take([file])} />
      {sending === null ? (
        <Button variant="outlined" color="inherit" disabled={disabled} onClick={() => input.current?.click()}>
          Choose a file
        </Button>
      ) : (
        <Box role="status" sx={{ width: 'min(100%, 320px)' }}>
          <Typography variant="body2" sx={{ mb: 1, overflowWrap: 'anywhere' }}>
            Uploading {sending}…
          </Typography>
          <LinearProgress aria-label={`Uploading ${sending}`} />
        </Box>
      )}
    </DropArea>
  );
}
