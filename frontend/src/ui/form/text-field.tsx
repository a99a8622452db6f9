import MuiTextField, { type TextFieldProps as MuiTextFieldProps } from '@mui/material/TextField';
import { useId } from 'react';
import { useController, type Control, type FieldPathByValue, type FieldValues } from 'react-hook-form';
import { OptionalMark } from './optional-mark';

/** What every bound field takes: the form's control and the field's name. */
export interface Bound<Values extends FieldValues, Value = string | undefined> {
  control: Control<Values>;
  name: FieldPathByValue<Values, Value>;
  label: string;
  optional?: boolean;
}

export type TextFieldProps<Values extends FieldValues> = Bound<Values> &
  Omit<MuiTextFieldProps, 'name' | 'label' | 'value' | 'onChange' | 'onBlur' | 'error' | 'ref' | 'inputRef'> & { maxLength?: number };

/** A text field of a form; its error stands under it, else its hint. The line is always there: an error that appears moves nothing away from the hand. */
export function TextField<Values extends FieldValues>({ control, name, label, optional, helperText, maxLength, slotProps, ...rest }: TextFieldProps<Values>) {
  const { field, fieldState } = useController({ control, name });
  const id = useId();
  const htmlInput = typeof slotProps?.htmlInput === 'object' ? slotProps.htmlInput : {};
  return (
    <MuiTextField
      {...rest}
      id={id}
      name={field.name}
      label={optional ? <OptionalMark label={label} /> : label}
      value={field.value ?? ''}
      onChange={field.onChange}
      onBlur={field.onBlur}
      inputRef={field.ref}
      error={Boolean(fieldState.error)}
      helperText={fieldState.error?.message ?? helperText ?? ' '}
      slotProps={{ ...slotProps, htmlInput: { maxLength, 'aria-required': optional ? undefined : true, ...htmlInput } }}
    />
  );
}
