import TextField from '@mui/material/TextField';
import { lengthHint } from '../../../ui/form/length-hint';
import { MAX_SUBJECT } from '../draft';
import type { DraftState } from '../use-draft';

/** Step 2: the subject line. */
export function SubjectStep({ state: { draft, change } }: { state: DraftState }) {
  const { error, hint } = lengthHint(draft.subject.trim().length, MAX_SUBJECT);
  return (
    <TextField
      id="send-subject"
      label="Subject line"
      value={draft.subject}
      onChange={(event) => change({ subject: event.target.value })}
      placeholder="Senior Java Developer, Hartford CT, 12 months"
      error={Boolean(error)}
      helperText={error ?? hint ?? 'Title, place and terms: what makes a vendor open it'}
      autoFocus
      slotProps={{ htmlInput: { 'aria-required': true } }}
    />
  );
}
