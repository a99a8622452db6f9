import type { FieldValues } from 'react-hook-form';
import { TextField, type TextFieldProps } from '../ui/form/text-field';

/** The address of somebody else: the browser must not offer the user's own. */
export function ContactAddressField<Values extends FieldValues>(
  props: Pick<TextFieldProps<Values>, 'control' | 'name' | 'helperText'>,
) {
  return <TextField {...props} label="Email" type="email" autoComplete="off" maxLength={254} autoFocus />;
}
