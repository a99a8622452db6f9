import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useId } from 'react';

interface FilterSelectProps<Value extends string> {
  label: string;
  /** Whether only screen readers get the label, as for filters beside a search. */
  hideLabel?: boolean;
  value: Value;
  choices: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

/** A select outside of a form, such as a filter above rows. */
export function FilterSelect<Value extends string>({
  label,
  hideLabel,
  value,
  choices,
  onChange,
}: FilterSelectProps<Value>) {
  const id = useId();
  return (
    <TextField
      select
      id={id}
      label={hideLabel ? undefined : label}
      value={value}
      onChange={(event) => onChange(event.target.value as Value)}
      slotProps={{
        select: { displayEmpty: true, SelectDisplayProps: hideLabel ? { 'aria-label': label } : undefined },
      }}
    >
      {choices.map((choice) => (
        <MenuItem key={choice.value} value={choice.value}>
          {choice.label}
        </MenuItem>
      ))}
    </TextField>
  );
}
