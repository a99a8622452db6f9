import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { client } from '../../../../api/client';
import { plural } from '../../../../lib/format';
import { routes } from '../../../../lib/routes';
import { IconError } from '../../../../ui/icons';
import { messages, type Import } from '../api';
import { UndoDialog } from '../undo-dialog';
import { useRefusal } from './refusal';

export const NewImportButton = () => (
  <Button component={Link} to={routes.contactImport.path} color="inherit" size="small">
    Import another file
  </Button>
);

/** Why an import failed, and how to continue: repeat the stage that failed, or use another file. */
export function FailedStep({ found }: { found: Import }) {
  const [isUndoing, setUndoing] = useState(false);
  const { stage, result, undoUntil } = found;
  const { refusal, attempt } = useRefusal(stage === 'commit' ? messages.startFailed : messages.checkFailed);
  return (
    <>
      <Alert
        severity="error"
        sx={{ flexWrap: 'wrap' }}
        icon={<IconError size={18} aria-hidden />}
        action={
          <>
            {undoUntil && (
              <Button color="inherit" size="small" onClick={() => setUndoing(true)}>
                Undo this import
              </Button>
            )}
            {stage === 'read' || stage === 'check' || stage === 'commit' ? (
              <RepeatButton id={found.id} stage={stage} attempt={attempt} />
            ) : (
              <NewImportButton />
            )}
          </>
        }
      >
        {found.message ?? 'The import stopped because of a fault on our side.'}
        {result && result.added > 0 && ` ${plural(result.added, 'contact')} had been added by then.`}
      </Alert>
      <Box sx={{ mt: 2 }}>{refusal}</Box>
      {isUndoing && <UndoDialog summary={found} onClose={() => setUndoing(false)} />}
    </>
  );
}

interface RepeatButtonProps {
  id: string;
  stage: 'read' | 'check' | 'commit';
  attempt: ReturnType<typeof useRefusal>['attempt'];
}

function RepeatButton({ id, stage, attempt }: RepeatButtonProps) {
  const [check, checking] = client.useCheckImportMutation();
  const [commit, committing] = client.useCommitImportMutation();
  // One key while the screen is open, so that pressing the button twice imports once.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const repeat = () =>
    attempt(() => (stage === 'commit' ? commit({ id, 'Idempotency-Key': idempotencyKey }) : check({ id })).unwrap());
  return (
    <Button
      color="inherit"
      size="small"
      loading={checking.isLoading || committing.isLoading}
      onClick={() => void repeat()}
    >
      {stage === 'commit' ? 'Import again' : 'Check again'}
    </Button>
  );
}
