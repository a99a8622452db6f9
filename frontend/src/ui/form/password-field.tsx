import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import { useState } from 'react';
import { useWatch, type FieldValues } from 'react-hook-form';
import { IconHide, IconShow } from '../icons';
import { passwordHint } from './password-hint';
import { TextField, type Bound } from './text-field';

interface PasswordFieldProps<Values extends FieldValues> extends Bound<Values> {
  autoComplete: 'current-password' | 'new-password';
  /** Hints at weak choices under the field. */
  hint?: boolean;
}

/** A password that can be shown. */
export function PasswordField<Values extends FieldValues>({ control, name, label, autoComplete, hint }: PasswordFieldProps<Values>) {
  const [shown, setShown] = useState(false);
  const value: unknown = useWatch({ control, name });
  return (
    <TextField
      control={control}
      name={name}
      label={label}
      type={shown ? 'text' : 'password'}
      autoComplete={autoComplete}
      helperText={hint ? passwordHint(typeof value === 'string' ? value : '') : undefined}
      slotProps={{
        htmlInput: { autoCapitalize: 'none', spellCheck: false },
        input: {
          endAdornment: (
            <InputAdornment position="end">
              <IconButton size="small" edge="end" aria-label={shown ? 'Hide password' : 'Show password'} onClick={() => setShown(!shown)}>
                {shown ? <IconHide size={17} aria-hidden /> : <IconShow size={17} aria-hidden />}
              </IconButton>
            </InputAdornment>
          ),
        },
      }}
    />
  );
}
