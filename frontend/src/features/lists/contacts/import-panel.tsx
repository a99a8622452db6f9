import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useEffect, useEffectEvent, useState } from 'react';
import { errorMessage, isApiError } from '../../../api/api-error';
import { client } from '../../../api/client';
import { formatCount, plural } from '../../../lib/format';
import { storage } from '../../../lib/storage';
import { IconDownload, IconX } from '../../../ui/icons';
import { ProgressBar } from '../../../ui/loading/progress-bar';
import { SectionError } from '../../../ui/loading/section-error';
import { rejectedRowsUrl, type ImportJob } from './api';
import { messages, rejections } from './messages';

interface ImportPanelProps {
  listId: string;
  jobId: string;
  onDismiss: () => void;
}

/**
 * Progress of an import, then the lines that it left out, with reasons. A toast of the layout reports the end of the
 * import.
 */
export function ImportPanel({ listId, jobId, onDismiss }: ImportPanelProps) {
  const { data: job, error, refetch, isFetching } = client.useGetImportQuery({ id: listId, jobId });
  const isOver = job?.status === 'done' || job?.status === 'failed';
  // The server has purged the old report.
  const isGone = isApiError(error) && error.status === 404;
  const dismiss = useEffectEvent(onDismiss);
  useEffect(() => {
    if (isGone) dismiss();
  }, [isGone]);
  if (isGone) return null;
  return (
    <Paper
      variant="outlined"
      component="section"
      aria-label="Import"
      sx={{ p: 2, mb: 2, display: 'flex', gap: 1, alignItems: 'flex-start' }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        {error && !job && (
          <SectionError
            message={errorMessage(error, messages.fallback)}
            pending={isFetching}
            onRetry={() => void refetch()}
          />
        )}
        {!isOver && (job || !error) && (
          <ProgressBar label="Importing contacts" done={job ? job.added + job.skipped : 0} total={job?.total ?? 0} />
        )}
        {job && isOver && <ImportResult listId={listId} job={job} />}
      </Box>
      {(isOver || error) && (
        <IconButton size="small" aria-label="Dismiss import result" onClick={onDismiss}>
          <IconX size={16} aria-hidden />
        </IconButton>
      )}
    </Paper>
  );
}

/** Maximum number of left-out lines that the server keeps for the download. */
const MAX_ROWS_DOWNLOADED = 10_000;

const summary = (job: ImportJob) =>
  `${plural(job.added, 'contact')} added${job.skipped ? `, ${plural(job.skipped, 'line')} left out` : ''}.`;

function ImportResult({ listId, job }: { listId: string; job: ImportJob }) {
  return (
    <>
      <Typography variant="h3" component="h2">
        {job.status === 'failed' ? 'The import stopped' : summary(job)}
      </Typography>
      {job.message && (
        <Typography variant="body2" sx={{ mt: 0.5 }}>
          {job.message}
        </Typography>
      )}
      {job.rows.length > 0 && (
        <>
          <Box
            component="ul"
            tabIndex={0}
            aria-label="Lines left out"
            sx={{ m: 0, mt: 1.5, p: 0, listStyle: 'none', maxHeight: 220, overflowY: 'auto' }}
          >
            {job.rows.map((row) => (
              <Box
                component="li"
                key={`${row.line}-${row.email}`}
                sx={{
                  display: 'flex',
                  gap: 1.5,
                  py: 0.625,
                  flexWrap: 'wrap',
                  borderTop: 1,
                  borderColor: 'divider',
                  fontSize: '0.8125rem',
                }}
              >
                <Box
                  component="span"
                  sx={{ color: 'text.secondary', minWidth: 64, fontVariantNumeric: 'tabular-nums' }}
                >
                  Line {formatCount(row.line)}
                </Box>
                <Typography variant="mono" sx={{ flex: '1 1 12rem', overflowWrap: 'anywhere' }}>
                  {row.email}
                </Typography>
                <span>{rejections[row.reason] ?? row.reason}</span>
              </Box>
            ))}
          </Box>
          {job.status === 'done' && job.skipped > job.rows.length && (
            <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
              The first {formatCount(job.rows.length)} are shown. The download holds{' '}
              {job.skipped > MAX_ROWS_DOWNLOADED ? `the first ${formatCount(MAX_ROWS_DOWNLOADED)}` : 'all of them'}.
            </Typography>
          )}
          <Button
            component="a"
            href={rejectedRowsUrl(listId, job.id)}
            download
            size="small"
            color="inherit"
            variant="outlined"
            startIcon={<IconDownload size={15} aria-hidden />}
            sx={{ mt: 1.5 }}
          >
            Download the lines left out
          </Button>
        </>
      )}
    </>
  );
}

/** The latest import into this list, until its result is dismissed. It is remembered across reloads. */
export function useRunningImport(listId: string) {
  const key = `import_${listId}`;
  const [job, setJob] = useState(() => storage.read(key, (value) => (typeof value === 'string' ? value : null)));
  return {
    job,
    start: (id: string) => {
      storage.write(key, id);
      setJob(id);
    },
    dismiss: () => {
      storage.remove(key);
      setJob(null);
    },
  };
}
