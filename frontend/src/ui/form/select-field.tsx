import MenuItem from '@mui/material/MenuItem';
import type { FieldValues } from 'react-hook-form';
import { TextField, type TextFieldProps } from './text-field';

/** A choice from a short menu, as a field of a form. */
export function SelectField<Values extends FieldValues>({ choices, ...rest }: TextFieldProps<Values> & { choices: readonly { value: string; label: string }[] }) {
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
