import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import Alert from '@mui/material/Alert';
import { useId, useState } from 'react';
import { errorMessage } from '../../../api/api-error';
import { messages } from '../messages';
import type { ConflictChoice } from '../use-draft';
import { clockTime } from '../../../lib/format';
import type { StoredVersion } from './save-state';

const choices: [how: ConflictChoice, label: string][] = [
  ['server', 'Use that version'],
  ['local', 'Keep mine'],
  ['both', 'Keep both'],
];

interface ConflictDialogProps {
  other: StoredVersion;
  /** Whether the draft is being sent or scheduled, so that no version can take its place now. */
  isSending: boolean;
  onSettle: (how: ConflictChoice) => Promise<unknown>;
}

/**
 * Asks which of two versions of a draft to keep. Nothing is saved before the choice, and Escape does not close the
 * dialog.
 */
export function ConflictDialog({ other, isSending, onSettle }: ConflictDialogProps) {
  const id = useId();
  const [pending, setPending] = useState<ConflictChoice | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const choose = async (how: ConflictChoice) => {
    setPending(how);
    setFailure(null);
    try {
      await onSettle(how);
    } catch (error) {
      setFailure(errorMessage(error, 'Please try again.'));
    }
    setPending(null);
  };
  const where = other.device ? ` on ${other.device}` : ' in another window';
  return (
    <Dialog
      open
      maxWidth="xs"
      fullWidth
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      slotProps={{ paper: { role: 'alertdialog' } }}
    >
      <DialogTitle id={`${id}-title`}>{messages.conflict}</DialogTitle>
      <DialogContent>
        <DialogContentText id={`${id}-text`}>{`at ${clockTime(other.updatedAt)}${where}.`}</DialogContentText>
        {isSending && (
          <Alert severity="info" sx={{ mt: 2 }}>
            {messages.conflictWhileSending}
          </Alert>
        )}
        {failure && (
          <Alert severity="error" sx={{ mt: 2 }}>
            {failure}
          </Alert>
        )}
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap', gap: 1 }}>
        {choices.map(([how, label]) => (
          <Button
            key={how}
            variant="outlined"
            color="inherit"
            loading={pending === how}
            disabled={isSending || (pending !== null && pending !== how)}
            autoFocus={how === 'both'}
            onClick={() => void choose(how)}
          >
            {label}
          </Button>
        ))}
      </DialogActions>
    </Dialog>
  );
}
