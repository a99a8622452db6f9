import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { SubmitButton } from '../../../ui/form/submit-button';
import type { ImportLine } from './api';

interface LineCorrectionProps {
  line: ImportLine;
  /** @returns why the address was not saved; undefined if it was saved */
  onSave: (email: string) => Promise<string | undefined>;
  onCancel: () => void;
}

/** The address of one line as a field. */
export function LineCorrection({ line, onSave, onCancel }: LineCorrectionProps) {
  const [email, setEmail] = useState(line.suggestion ?? line.email);
  const [error, setError] = useState<string>();
  const [pending, setPending] = useState(false);
  return (
    <Box
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        setPending(true);
        void onSave(email.trim()).then((fault) => {
          setError(fault);
          setPending(false);
        });
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
      sx={{ display: 'flex', flex: '1 1 18rem', gap: 1, flexWrap: 'wrap', alignItems: 'flex-start' }}
    >
      <TextField
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={error !== undefined}
        helperText={error}
        autoFocus
        sx={{ flex: '1 1 14rem' }}
        slotProps={{
          htmlInput: {
            'aria-label': `Address of line ${line.line}`,
            maxLength: 254,
            spellCheck: false,
            autoCapitalize: 'none',
          },
        }}
      />
      <SubmitButton size="small" pending={pending} disabled={email.trim() === ''}>
        Save
      </SubmitButton>
      <Button size="small" color="inherit" onClick={onCancel}>
        Cancel
      </Button>
    </Box>
  );
}
