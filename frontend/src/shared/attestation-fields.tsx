import Checkbox from '@mui/material/Checkbox';
import Collapse from '@mui/material/Collapse';
import FormControlLabel from '@mui/material/FormControlLabel';
import TextField from '@mui/material/TextField';
import { useId } from 'react';

interface AttestationFieldsProps {
  isAttested: boolean;
  onAttest: (isAttested: boolean) => void;
  text: string;
  onText: (text: string) => void;
  /** Called when the text field is left. */
  onBlur?: () => void;
}

/** Fields for whether the people of an import have already agreed, and where and how they did. */
export function AttestationFields({ isAttested, onAttest, text, onText, onBlur }: AttestationFieldsProps) {
  const id = useId();
  return (
    <div>
      <FormControlLabel
        control={<Checkbox checked={isAttested} onChange={({ target: { checked } }) => onAttest(checked)} />}
        label="These people already agreed to hear from me"
      />
      <Collapse in={isAttested} unmountOnExit>
        <TextField
          id={`${id}-attestation`}
          label="Where and how did they agree?"
          fullWidth
          multiline
          minRows={2}
          value={text}
          onChange={(event) => onText(event.target.value)}
          onBlur={onBlur}
          helperText="An admin reads this and confirms the whole import, or has everyone asked by email instead. No confirmation emails go out until then."
          sx={{ mt: 1 }}
        />
      </Collapse>
    </div>
  );
}
