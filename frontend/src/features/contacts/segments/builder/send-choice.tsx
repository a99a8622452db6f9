import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useDeferredValue, useState } from 'react';
import { client } from '../../../../api/client';
import { formatDate } from '../../../../lib/format';
import type { Term, Terms } from '../filter';

interface SendChoiceProps {
  term: Term;
  value: string;
  terms: Terms;
  fault?: string;
  onChange: (value: unknown) => void;
}

interface Choice {
  id: string;
  label: string;
}

const SENDS_SHOWN = 20;

/** Chooses one of the account's sends by its subject. */
export function SendChoice({ term, value, terms, fault, onChange }: SendChoiceProps) {
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const { data, isFetching } = client.useListHistoryQuery({ limit: SENDS_SHOWN, ...(search && { search }) });
  const [chosen, setChosen] = useState<Choice | null>(
    value ? { id: value, label: terms.valueLabel(term.field, value) } : null,
  );
  const choices = (data?.rows ?? []).map(({ id, subject, sentAt }): Choice => ({
    id,
    label: `${subject}, ${formatDate(sentAt)}`,
  }));
  return (
    <Autocomplete<Choice>
      options={choices}
      value={chosen?.id === value ? chosen : null}
      loading={isFetching}
      // The server has filtered the options.
      filterOptions={(all) => all}
      getOptionLabel={({ label }) => label}
      getOptionKey={({ id }) => id}
      isOptionEqualToValue={(a, b) => a.id === b.id}
      onChange={(_event, choice) => {
        setChosen(choice);
        onChange(choice?.id ?? '');
      }}
      onInputChange={(_event, text, reason) => {
        if (reason === 'input') setTyped(text);
      }}
      noOptionsText="No email found"
      renderInput={(params) => <TextField {...params} label="Email" error={Boolean(fault)} helperText={fault} />}
    />
  );
}
