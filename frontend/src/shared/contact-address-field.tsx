import type { FieldValues } from 'react-hook-form';
import { TextField, type TextFieldProps } from '../ui/form/text-field';

/** A field for another person's address, for which the browser must not suggest the user's own. */
export function ContactAddressField<Values extends FieldValues>(
  props: Pick<TextFieldProps<Values>, 'control' | 'name' | 'helperText'>,
) {
  return <TextField {...props} label="Email" type="email" autoComplete="off" maxLength={254} autoFocus />;
}
