import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useId, useMemo } from 'react';
import { useController, type FieldValues } from 'react-hook-form';
import type { Bound } from '../../../ui/form/text-field';

/** The zone in which the person's days are counted, by typing a part of its name. */
export function TimeZoneField<Values extends FieldValues>({ control, name, label }: Bound<Values>) {
  const { field, fieldState } = useController({ control, name });
  const id = useId();
  const kept = String(field.value);
  const zones = useMemo(() => [...new Set(['UTC', kept, ...Intl.supportedValuesOf('timeZone')])], [kept]);
  return (
    <Autocomplete
      id={id}
      options={zones}
      value={kept}
      disableClearable
      onChange={(_event, zone) => field.onChange(zone)}
      onBlur={field.onBlur}
      getOptionLabel={(zone) => zone.replaceAll('_', ' ')}
      renderInput={(params) => (
        <TextField
          {...params}
          label={label}
          inputRef={field.ref}
          error={Boolean(fieldState.error)}
          helperText={fieldState.error?.message ?? 'Your day, and its sends, begin at midnight there'}
        />
      )}
    />
  );
}
