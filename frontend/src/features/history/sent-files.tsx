import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { detailsText, downloadsText } from '../../shared/files/file-texts';
import { IconFile } from '../../ui/icons';
import type { HistoryEntry } from './api';

/** The files of a send. For a file that is sent as a link, also the number of its downloads. */
export function SentFiles({ files = [] }: { files?: HistoryEntry['files'] }) {
  if (files.length === 0) return null;
  return (
    <Box sx={{ mt: 2, pt: 2, borderTop: 1, borderColor: 'divider' }}>
      <Typography component="h3" variant="subtitle2" sx={{ mb: 0.75 }}>
        Files
      </Typography>
      <Box component="ul" aria-label="Files" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}>
        {files.map((file) => (
          <Box component="li" key={file.fileId} sx={{ display: 'flex', gap: 1, minWidth: 0 }}>
            <Box sx={{ color: 'text.secondary', mt: 0.25 }}>
              <IconFile size={16} aria-hidden />
            </Box>
            <Box sx={{ minWidth: 0 }}>
              <Typography sx={{ overflowWrap: 'anywhere' }}>{file.name || 'Deleted file'}</Typography>
              <Typography variant="body2" color="textSecondary">
                {factsOf(file).join(', ')}
              </Typography>
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}

const factsOf = (file: HistoryEntry['files'][number]): string[] => [
  detailsText(file),
  ...(file.as === 'attachment' ? ['attached'] : []),
  ...(file.downloads === null || file.automated === null
    ? []
    : [`downloads: ${downloadsText({ downloads: file.downloads, automated: file.automated })}`]),
];
