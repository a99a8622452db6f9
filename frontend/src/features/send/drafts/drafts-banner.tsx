import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { formatAgo, plural } from '../../../lib/format';
import { sendDraftPath } from '../../../lib/routes';
import { useLatestDraft } from './api';

/** Banner above a new email: states how many drafts are stored, and links to the latest. */
export function DraftsBanner({ isWanted }: { isWanted: boolean }) {
  const [isDismissed, setDismissed] = useState(false);
  const drafts = useLatestDraft(!isWanted || isDismissed);
  if (!drafts || !isWanted || isDismissed) return null;
  const { total, latest } = drafts;
  const where = latest.device ? ` on ${latest.device}` : '';
  return (
    <Alert
      severity="info"
      sx={{ mb: 2.5, overflowWrap: 'anywhere', flexWrap: { xs: 'wrap', md: 'nowrap' } }}
      action={
        <>
          <Button size="small" color="inherit" component={RouterLink} to={sendDraftPath(latest.id)}>
            Continue
          </Button>
          <Button size="small" color="inherit" onClick={() => setDismissed(true)} sx={{ whiteSpace: 'nowrap' }}>
            Start new
          </Button>
        </>
      }
    >
      {`You have ${plural(total, 'draft')}. The last: "${latest.subject.trim() || 'No subject'}", ${formatAgo(latest.updatedAt)}${where}.`}
    </Alert>
  );
}
