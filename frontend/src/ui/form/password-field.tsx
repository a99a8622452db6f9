import { useWatch, type FieldValues } from 'react-hook-form';
import { usePasswordVisibility } from './plain-field';
import { TextField, type FieldBinding } from './text-field';

interface PasswordFieldProps<Values extends FieldValues> extends FieldBinding<Values> {
  autoComplete: 'current-password' | 'new-password';
  /** Shows the strength of the password under the field. */
  hint?: boolean;
}

/** A password field with a button that shows the password. */
export function PasswordField<Values extends FieldValues>({
  control,
  name,
  label,
  autoComplete,
  hint,
}: PasswordFieldProps<Values>) {
  const { type, endAdornment } = usePasswordVisibility();
  const value: unknown = useWatch({ control, name });
  return (
    <TextField
      control={control}
      name={name}
      label={label}
      type={type}
      autoComplete={autoComplete}
      helperText={hint ? passwordHint(typeof value === 'string' ? value : '') : undefined}
      slotProps={{
        htmlInput: { autoCapitalize: 'none', spellCheck: false },
        input: { endAdornment },
      }}
    />
  );
}

const common = /^(password|passw0rd|qwerty|letmein|welcome|admin|iloveyou|abc123|12345678)/i;

/** The strength hint while typing. The server decides: 8 to 256 characters, and none of the most common passwords. */
function passwordHint(password: string): string {
  if (!password) return 'At least 8 characters. A few words are strong';
  if (password.length < 8) return `${8 - password.length} more to go`;
  if (common.test(password) || /^(.)\1+$/.test(password) || /^\d+$/.test(password))
    return 'Weak: easily guessed. Add a word or two';
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length;
  if (password.length >= 16 || (password.length >= 12 && kinds >= 3)) return 'Strong';
  return password.length >= 12 || kinds >= 3 ? 'Good. Longer is stronger still' : 'Fair. Longer is stronger';
}
