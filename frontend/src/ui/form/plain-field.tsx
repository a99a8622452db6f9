import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import InputLabel from '@mui/material/InputLabel';
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput';
import type { SxProps, Theme } from '@mui/material/styles';
import { useId, useState } from 'react';
import type { FieldProps } from '../../lib/use-fields';
import { IconHide, IconShow } from '../icons';

type PlainFieldProps = FieldProps &
  Pick<OutlinedInputProps, 'type' | 'autoComplete' | 'autoFocus' | 'endAdornment'> & {
    label: string;
    hint?: string;
    spelled?: boolean;
    sx?: SxProps<Theme>;
  };

/** A text field of `useFields`, for pages without the form library. */
export function PlainField({ label, error, hint, spelled = true, sx, ...input }: PlainFieldProps) {
  const id = useId();
  return (
    <FormControl fullWidth error={Boolean(error)} sx={sx}>
      <InputLabel htmlFor={id}>{label}</InputLabel>
      <OutlinedInput
        {...input}
        id={id}
        aria-describedby={`${id}-text`}
        slotProps={{ input: { 'aria-required': true, ...(!spelled && { autoCapitalize: 'none', spellCheck: false }) } }}
      />
      <FormHelperText id={`${id}-text`}>{error ?? hint ?? ' '}</FormHelperText>
    </FormControl>
  );
}

/** The type of a password field, and the button in it that shows the password. */
export function usePasswordVisibility() {
  const [shown, setShown] = useState(false);
  return {
    type: shown ? 'text' : 'password',
    endAdornment: (
      <InputAdornment position="end">
        <IconButton
          size="small"
          edge="end"
          aria-label={shown ? 'Hide password' : 'Show password'}
          onClick={() => setShown(!shown)}
        >
          {shown ? <IconHide size={17} aria-hidden /> : <IconShow size={17} aria-hidden />}
        </IconButton>
      </InputAdornment>
    ),
  };
}
