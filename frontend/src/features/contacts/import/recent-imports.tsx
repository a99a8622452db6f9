import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { client } from '../../../api/client';
import { formatDate, plural } from '../../../lib/format';
import { importRunPath } from '../../../lib/routes';
import { SectionError } from '../../../ui/loading/section-error';
import { LoadingRegion, RowSkeletons } from '../../../ui/loading/skeletons';
import { RelativeTime } from '../../../ui/relative-time';
import { useToast } from '../../../ui/toast/toast';
import { errorMessage } from '../../../api/api-error';
import { isUnfinished, messages, nameOf, undoneText, type ImportSummary } from './api';
import { UndoDialog } from './undo-dialog';

/** Maximum number of imports that are shown. */
const IMPORTS_SHOWN = 20;

/** The account's imports: unfinished ones to continue, ended ones with result and undo. */
export function RecentImports() {
  const { data, error, isFetching, refetch } = client.useListImportsQuery({ limit: IMPORTS_SHOWN });
  const [undoing, setUndoing] = useState<ImportSummary | null>(null);
  if (error && !data)
    return <SectionError message={messages.recentFailed} pending={isFetching} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <LoadingRegion label="Loading your imports">
        <RowSkeletons count={3} />
      </LoadingRegion>
    );
  const unfinished = data.rows.filter(isUnfinished);
  const ended = data.rows.filter((one) => !isUnfinished(one) && one.status !== 'discarded');
  return (
    <>
      {unfinished.map((one) => (
        <Unfinished key={one.id} summary={one} />
      ))}
      {ended.length > 0 && (
        <section aria-labelledby="recent-imports">
          <Typography id="recent-imports" variant="h2" sx={{ mb: 1.5 }}>
            Recent imports
          </Typography>
          <Paper component="ul" variant="outlined" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {ended.map((one, index) => (
              <Ended key={one.id} summary={one} isFirst={index === 0} onUndo={() => setUndoing(one)} />
            ))}
          </Paper>
        </section>
      )}
      {undoing && <UndoDialog summary={undoing} onClose={() => setUndoing(null)} />}
    </>
  );
}

function Unfinished({ summary }: { summary: ImportSummary }) {
  const [discard, { isLoading }] = client.useDiscardImportMutation();
  const toast = useToast();
  const drop = async () => {
    try {
      await discard({ id: summary.id }).unwrap();
    } catch (fault) {
      toast({ title: 'Not discarded', description: errorMessage(fault, messages.tryAgain), variant: 'destructive' });
    }
  };
  return (
    <Alert
      severity="info"
      sx={{
        mb: 2,
        flexWrap: 'wrap',
        // On a phone the text stays beside its icon, and only the buttons wrap.
        '.MuiAlert-message': { flex: '1 1 12rem', minWidth: 0, overflowWrap: 'anywhere' },
        '.MuiAlert-action': { alignItems: 'center', pt: 0 },
      }}
      action={
        <>
          <Button color="inherit" size="small" loading={isLoading} onClick={() => void drop()}>
            Discard
          </Button>
          <Button component={Link} to={importRunPath(summary.id)} color="inherit" size="small" variant="outlined">
            Continue
          </Button>
        </>
      }
    >
      {messages.unfinished} {nameOf(summary)}
      {summary.expiresAt && `, kept until ${formatDate(summary.expiresAt)}`}
    </Alert>
  );
}

/** Outcome of an import in one line. */
function outcomeOf({ status, result, message, listName }: ImportSummary): string {
  if (status === 'running') return 'Importing…';
  if (status === 'failed') return message ?? 'It failed.';
  if (!result) return '';
  const parts =
    status === 'undone'
      ? [undoneText(result)]
      : [
          `${plural(result.added, 'contact')} added`,
          result.updated > 0 && `${plural(result.updated, 'contact')} updated`,
          result.leftOut > 0 && `${plural(result.leftOut, 'line')} left out`,
          listName && `on ${listName}`,
        ];
  return parts.filter(Boolean).join(', ');
}

interface EndedProps {
  summary: ImportSummary;
  isFirst: boolean;
  onUndo: () => void;
}

function Ended({ summary, isFirst, onUndo }: EndedProps) {
  return (
    <Stack
      component="li"
      direction="row"
      sx={{
        gap: 1.5,
        px: 2.5,
        py: 1.5,
        flexWrap: 'wrap',
        alignItems: 'center',
        borderTop: isFirst ? 0 : 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ flex: '1 1 18rem', minWidth: 0 }}>
        <Typography sx={{ fontWeight: 560, overflowWrap: 'anywhere' }}>{nameOf(summary)}</Typography>
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {outcomeOf(summary)} · <RelativeTime iso={summary.createdAt} />
        </Typography>
      </Box>
      <Stack direction="row" sx={{ gap: 1.5, mx: { xs: -1, sm: 0 } }}>
        <Button
          component={Link}
          to={importRunPath(summary.id)}
          size="small"
          color="inherit"
          aria-label={`Report of ${nameOf(summary)}`}
        >
          Report
        </Button>
        {summary.undoUntil && (
          <Button size="small" color="inherit" onClick={onUndo} aria-label={`Undo ${nameOf(summary)}`}>
            Undo
          </Button>
        )}
      </Stack>
    </Stack>
  );
}
