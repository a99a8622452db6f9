import MuiTextField, { type TextFieldProps as MuiTextFieldProps } from '@mui/material/TextField';
import { useId } from 'react';
import { useController, type Control, type FieldPathByValue, type FieldValues } from 'react-hook-form';
import { lengthHint } from './length-hint';
import { OptionalMark } from './optional-mark';

/** What every bound field takes: the form's control and the field's name. */
export interface Bound<Values extends FieldValues, Value = string | undefined> {
  control: Control<Values>;
  name: FieldPathByValue<Values, Value>;
  label: string;
  optional?: boolean;
}

export type TextFieldProps<Values extends FieldValues> = Bound<Values> &
  Omit<MuiTextFieldProps, 'name' | 'label' | 'value' | 'onChange' | 'onBlur' | 'error' | 'ref' | 'inputRef'> & {
    /** Longer text is kept and counted, and the form's schema refuses it. */
    maxLength?: number;
  };

/** MUI TextField bound to react-hook-form. Always renders a helper line so that errors cause no layout shift. */
export function TextField<Values extends FieldValues>({ control, name, label, optional, helperText, maxLength, slotProps, ...rest }: TextFieldProps<Values>) {
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
