import Checkbox from '@mui/material/Checkbox';
import Collapse from '@mui/material/Collapse';
import FormControlLabel from '@mui/material/FormControlLabel';
import TextField from '@mui/material/TextField';
import { useId, useState } from 'react';

const LONGEST = 2000;

interface AttestationProps {
  given: string | null;
  /** Called when the text is left, with null where there is none. */
  onChange: (attestation: string | null) => void;
}

/** Where and how the people agreed already; an admin reads it. */
export function Attestation({ given, onChange }: AttestationProps) {
  const id = useId();
  const [isAttested, setAttested] = useState(given !== null);
  const [text, setText] = useState(given ?? '');
  return (
    <div>
      <FormControlLabel
        control={
          <Checkbox
            checked={isAttested}
            onChange={({ target: { checked } }) => {
              setAttested(checked);
              onChange((checked && text.trim()) || null);
            }}
          />
        }
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
          onChange={(event) => setText(event.target.value.slice(0, LONGEST))}
          onBlur={() => onChange(text.trim() || null)}
          helperText="An admin reads this and confirms the whole import, or has everyone asked by email instead. No confirmation emails go out until then."
          sx={{ mt: 1 }}
        />
      </Collapse>
    </div>
  );
}
