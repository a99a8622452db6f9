import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { sizeText } from '../../../shared/files/file-texts';
import { StatusBadge } from '../../../ui/status-badge';
import { FileRow } from './file-row';
import type { Upload } from './use-uploads';

interface UploadRowProps {
  upload: Upload;
  onRemove: () => void;
  /** Opens the file chooser for a file that replaces this one. */
  onChooseAnother: () => void;
}

/** A file that is being uploaded and can be stopped, or the reason why it was refused. */
export function UploadRow({ upload: { file, sent, error }, onRemove, onChooseAnother }: UploadRowProps) {
  if (error !== null) {
    return (
      <FileRow
        name={file.name}
        details={sizeText(file.size)}
        badge={<StatusBadge status="failed" word="Refused" />}
        removeLabel={`Remove ${file.name}`}
        onRemove={onRemove}
      >
        <Typography variant="body2" color="error" sx={{ mb: 1, overflowWrap: 'anywhere' }}>
          {error}
        </Typography>
        <Button size="small" variant="outlined" color="inherit" onClick={onChooseAnother}>
          Choose another
        </Button>
      </FileRow>
    );
  }
  const bytes = `${sizeText(sent)} of ${sizeText(file.size)}`;
  return (
    <FileRow
      name={file.name}
      details={sent < file.size ? bytes : `${sizeText(file.size)} sent`}
      removeLabel={`Stop uploading ${file.name}`}
      onRemove={onRemove}
    >
      <LinearProgress
        variant="determinate"
        value={(sent / file.size) * 100}
        aria-label={`Uploading ${file.name}`}
        aria-valuetext={bytes}
      />
    </FileRow>
  );
}
