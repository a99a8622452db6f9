import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { messages } from '../messages';
import type { DraftState } from '../use-draft';

/** What another tab did to this draft, and the choice where both have changed it. */
export function DraftNotice({ state: { elsewhere, settle, dismissNotice } }: { state: DraftState }) {
  if (elsewhere === null) return null;
  if (elsewhere.what !== 'conflict') {
    return (
      <Alert severity="info" sx={{ mb: 2.5 }} onClose={dismissNotice}>
        {elsewhere.what === 'changed' ? messages.changedElsewhere : messages.goneElsewhere}
      </Alert>
    );
  }
  return (
    <Alert
      severity="warning"
      sx={{ mb: 2.5, flexWrap: 'wrap' }}
      action={
        <>
          <Button size="small" color="inherit" onClick={() => settle(elsewhere.theirs)}>
            Use the other version
          </Button>
          <Button size="small" color="inherit" onClick={() => settle()}>
            Keep this one
          </Button>
        </>
      }
    >
      {messages.conflict}
    </Alert>
  );
}
