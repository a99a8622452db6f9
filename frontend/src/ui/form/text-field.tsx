import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import MuiTextField, { type TextFieldProps as MuiTextFieldProps } from '@mui/material/TextField';
import { useId, type ReactNode } from 'react';
import { useController, type Control, type FieldPathByValue, type FieldValues } from 'react-hook-form';
import { lengthHint } from '../../lib/format';

/** Props of every field of a form: the form's control and the field's name. */
export interface FieldBinding<Values extends FieldValues, Value = string | undefined> {
  control: Control<Values>;
  name: FieldPathByValue<Values, Value>;
  label: string;
  optional?: boolean;
}

export type TextFieldProps<Values extends FieldValues> = FieldBinding<Values> &
  Omit<MuiTextFieldProps, 'name' | 'label' | 'value' | 'onChange' | 'onBlur' | 'error' | 'ref' | 'inputRef'> & {
    /** Maximum number of characters. A longer text is not cut, but counted and rejected by the form's schema. */
    maxLength?: number;
  };

/** MUI TextField bound to react-hook-form. Always renders a helper line so that errors cause no layout shift. */
export function TextField<Values extends FieldValues>({
  control,
  name,
  label,
  optional,
  helperText,
  maxLength,
  slotProps,
  ...rest
}: TextFieldProps<Values>) {
  const { field, fieldState } = useController({ control, name });
  const id = useId();
  const value: string = field.value ?? '';
  const length = maxLength ? lengthHint(value.trim().length, maxLength) : {};
  const error = length.error ?? fieldState.error?.message;
  const htmlInput = typeof slotProps?.htmlInput === 'object' ? slotProps.htmlInput : {};
  return (
    <MuiTextField
      {...rest}
      id={id}
      name={field.name}
      label={optional ? <OptionalMark label={label} /> : label}
      value={value}
      onChange={field.onChange}
      onBlur={field.onBlur}
      inputRef={field.ref}
      error={Boolean(error)}
      helperText={error ?? length.hint ?? helperText ?? ' '}
      slotProps={{ ...slotProps, htmlInput: { 'aria-required': optional ? undefined : true, ...htmlInput } }}
    />
  );
}

/** 'Agency name (optional)'. */
export function OptionalMark({ label }: { label: string }) {
  return (
    <>
      {label}{' '}
      <Box component="span" sx={{ color: 'text.secondary', fontWeight: 450 }}>
        (optional)
      </Box>
    </>
  );
}

/** A select as a field of a form. */
export function SelectField<Values extends FieldValues>({
  choices,
  ...rest
}: TextFieldProps<Values> & { choices: readonly { value: string; label: string }[] }) {
  return (
    <TextField<Values> {...rest} select slotProps={{ select: { displayEmpty: true } }}>
      {choices.map((choice) => (
        <MenuItem key={choice.value} value={choice.value}>
          {choice.label}
        </MenuItem>
      ))}
    </TextField>
  );
}

/** Fields in two columns; in one column on a phone. */
export function FieldGrid({ children }: { children: ReactNode }) {
  return (
    <Box
      sx={{
        display: 'grid',
        columnGap: 2,
        rowGap: 1,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
        alignItems: 'start',
      }}
    >
      {children}
    </Box>
  );
}
