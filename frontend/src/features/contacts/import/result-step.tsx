import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { formatDate, plural } from '../../../lib/format';
import { importedContactsPath, listPath, routes } from '../../../lib/routes';
import { IconDownload } from '../../../ui/icons';
import { rejectedUrl, undoneText, type Import } from './api';
import { UndoDialog } from './undo-dialog';

type Result = NonNullable<Import['result']>;

const kept: Record<Result['kept'][number]['reason'], string> = {
  mailed: 'a send has reached them',
  confirmed: 'they confirmed',
  other: 'they were yours by other ways as well',
};

/** Result of an import, and further actions. */
export function ResultStep({ found }: { found: Import }) {
  const [isUndoing, setUndoing] = useState(false);
  const { result, status } = found;
  if (!result) return null;
  return (
    <Paper variant="outlined" sx={{ p: 2.5 }}>
      <Typography variant="h2">{status === 'undone' ? `${undoneText(result)}.` : doneText(result)}</Typography>
      {status === 'undone' &&
        result.kept.map(({ reason, count }) => (
          <Typography key={reason} color="textSecondary" sx={{ mt: 0.5 }}>
            {plural(count, 'contact')} {count === 1 ? 'stays' : 'stay'}: {kept[reason]}.
          </Typography>
        ))}
      {status === 'done' && found.options.attestation && (
        <Alert severity="info" sx={{ mt: 2 }}>
          An admin reads your statement. No confirmation emails go out until then.
        </Alert>
      )}
      <Stack direction="row" sx={{ gap: 1.5, mt: 2.5, flexWrap: 'wrap' }}>
        {status === 'done' && result.added > 0 && (
          <Button component={Link} to={importedContactsPath(found.id)} variant="contained">
            Show these contacts
          </Button>
        )}
        {status === 'done' && found.listId && (
          <Button component={Link} to={listPath(found.listId)} variant="outlined" color="inherit">
            Open {found.listName ?? 'the list'}
          </Button>
        )}
        {result.leftOut > 0 && (
          <Button
            component="a"
            href={rejectedUrl(found.id)}
            download
            variant="outlined"
            color="inherit"
            startIcon={<IconDownload size={15} aria-hidden />}
          >
            Download the lines left out
          </Button>
        )}
        <Button component={Link} to={routes.contactImport.path} color="inherit">
          Import another file
        </Button>
        {found.undoUntil && (
          <Button color="inherit" onClick={() => setUndoing(true)}>
            Undo this import
          </Button>
        )}
      </Stack>
      {found.undoUntil && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1.5 }}>
          It can be undone until {formatDate(found.undoUntil)}.
        </Typography>
      )}
      {isUndoing && <UndoDialog summary={found} onClose={() => setUndoing(false)} />}
    </Paper>
  );
}

function doneText({ added, updated, unchanged, leftOut }: Result): string {
  const parts = [
    `${plural(added, 'contact')} added`,
    updated > 0 && `${plural(updated, 'contact')} updated`,
    unchanged > 0 && `${plural(unchanged, 'contact')} unchanged`,
    leftOut > 0 && `${plural(leftOut, 'line')} left out`,
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}
