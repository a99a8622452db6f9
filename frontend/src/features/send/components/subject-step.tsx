import TextField from '@mui/material/TextField';
import type { DraftState } from '../use-draft';

const MAX = 255;

/** Step 2: the subject line. */
export function SubjectStep({ state: { draft, change } }: { state: DraftState }) {
  const left = MAX - draft.subject.length;
  return (
    <TextField
      id="send-subject"
      label="Subject line"
      value={draft.subject}
      onChange={(event) => change({ subject: event.target.value })}
      placeholder="Senior Java Developer, Hartford CT, 12 months"
      helperText={left < 60 ? `${left} characters left` : 'Title, place and terms: what makes a vendor open it'}
      autoFocus
      slotProps={{ htmlInput: { maxLength: MAX, 'aria-required': true } }}
    />
  );
}
