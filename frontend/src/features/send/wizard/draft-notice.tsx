import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { Link as RouterLink } from 'react-router-dom';
import { historyEntryPath, routes } from '../../../lib/routes';
import { clockTime } from '../../../lib/format';
import { messages } from '../messages';
import type { DraftState } from '../use-draft';

/** Reports that the draft was sent, deleted, changed or opened in another window or on another device. */
export function DraftNotice({ state }: { state: DraftState }) {
  const { state: saved, isOpenElsewhere, wasChanged, dismissNotice, recreate } = state;
  if (saved.name === 'sent') {
    return (
      <Alert
        severity="info"
        sx={{ mb: 2.5 }}
        action={
          <Button size="small" color="inherit" component={RouterLink} to={historyEntryPath(saved.sendId)}>
            Open the send
          </Button>
        }
      >
        {`This draft was sent at ${clockTime(saved.at)}.`}
      </Alert>
    );
  }
  if (saved.name === 'scheduled') {
    return (
      <Alert
        severity="info"
        sx={{ mb: 2.5 }}
        action={
          <Button size="small" color="inherit" component={RouterLink} to={routes.scheduled.path}>
            Open Scheduled
          </Button>
        }
      >
        This draft is scheduled.
      </Alert>
    );
  }
  if (saved.name === 'deleted') {
    return (
      <Alert
        severity="warning"
        sx={{ mb: 2.5 }}
        action={
          <Button size="small" color="inherit" onClick={recreate}>
            Save it again
          </Button>
        }
      >
        {messages.deletedElsewhere}
      </Alert>
    );
  }
  if (wasChanged) {
    return (
      <Alert severity="info" sx={{ mb: 2.5 }} onClose={dismissNotice}>
        {messages.changedElsewhere}
      </Alert>
    );
  }
  return isOpenElsewhere ? (
    <Alert severity="info" sx={{ mb: 2.5 }}>
      {messages.openElsewhere}
    </Alert>
  ) : null;
}
