import Autocomplete from '@mui/material/Autocomplete';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { client } from '../../api/client';
import type { BulkRequestDto } from '../../api/endpoints.gen';
import type { CustomField } from './api';
import { fieldChoices, fieldHint, fieldValue, MAX_LENGTHS } from './field-values';

interface Field extends Pick<CustomField, 'key' | 'label' | 'type' | 'options'> {
  /** Maximum length in characters, if it differs from the limit of the type. */
  max?: number;
}

const builtIn = [
  { key: 'company', label: 'Company', max: 200 },
  { key: 'job_title', label: 'Job title', max: 200 },
  { key: 'city', label: 'City', max: 100 },
  { key: 'region', label: 'State or region', max: 100 },
].map((field): Field => ({ ...field, type: 'text', options: [] }));

interface FieldChoiceProps {
  /** Called with each change; with an empty object while no field is chosen. */
  onChoose: (choice: Pick<BulkRequestDto, 'field' | 'value'>) => void;
}

/** Chooses a field and its new value, for many contacts at once. */
export function FieldChoice({ onChoose }: FieldChoiceProps) {
  const { data: own = [] } = client.useListContactFieldsQuery();
  const [field, setField] = useState<Field | null>(null);
  const [text, setText] = useState('');
  const choices = field && fieldChoices(field);
  const choose = (of: Field | null, typed: string) => {
    setField(of);
    setText(typed);
    onChoose(of ? { field: of.key, value: fieldValue(of.type, typed) } : {});
  };
  return (
    <>
      <Autocomplete<Field>
        options={[...builtIn, ...own]}
        value={field}
        getOptionLabel={({ label }) => label}
        getOptionKey={({ key }) => key}
        isOptionEqualToValue={(a, b) => a.key === b.key}
        onChange={(_event, of) => choose(of, '')}
        renderInput={(params) => <TextField {...params} label="Field" autoFocus sx={{ mb: 2 }} />}
      />
      {field && (
        <TextField
          key={field.key}
          select={Boolean(choices)}
          label="New value"
          fullWidth
          value={text}
          type={field.type === 'date' ? 'date' : undefined}
          helperText={fieldHint(field) ?? (choices ? ' ' : 'Empty clears the field')}
          onChange={({ target }) => choose(field, target.value)}
          slotProps={{
            htmlInput: {
              autoComplete: 'off',
              maxLength: field.max ?? MAX_LENGTHS[field.type],
              inputMode: field.type === 'number' ? 'decimal' : undefined,
            },
            ...(choices && { select: { displayEmpty: true } }),
            ...((choices || field.type === 'date') && { inputLabel: { shrink: true } }),
          }}
        >
          {choices?.map(({ value, label }) => (
            <MenuItem key={value} value={value}>
              {label}
            </MenuItem>
          ))}
        </TextField>
      )}
    </>
  );
}
