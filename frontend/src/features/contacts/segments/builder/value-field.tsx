import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import type { Operator, Term, Terms } from '../filter';
import { FILTER_LIMITS } from '../filter';
import { SendChoice } from './send-choice';

interface ValueFieldProps {
  term: Term;
  kind: Operator['value'];
  value: unknown;
  terms: Terms;
  /** Shown under the field. */
  fault?: string;
  onChange: (value: unknown) => void;
}

const MAX_TEXT_LENGTH = 1000;
/** Keeps a field with chips as high as one without. */
const smallChips = { chip: { size: 'small' } } as const;

/** The control for a rule's value, depending on its comparison. */
export function ValueField(props: ValueFieldProps) {
  const { kind, value, fault, onChange } = props;
  const shown = { error: Boolean(fault), helperText: fault, fullWidth: true };
  switch (kind) {
    case 'none':
      return null;
    case 'text':
      return (
        <TextField
          {...shown}
          label="Value"
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.target.value)}
          slotProps={{ htmlInput: { maxLength: MAX_TEXT_LENGTH, autoComplete: 'off' } }}
        />
      );
    case 'texts':
      return <TextsField {...props} />;
    case 'number':
      return <NumberField {...shown} label="Value" value={value} onChange={onChange} />;
    case 'days':
      return <NumberField {...shown} label="Days" value={value} whole onChange={onChange} />;
    case 'count':
      return <NumberField {...shown} label="Times" value={value} whole onChange={onChange} />;
    case 'date':
      return <DateField {...shown} label="Date" value={value} onChange={onChange} />;
    case 'numbers':
    case 'dates':
      return <PairField {...props} />;
    case 'options':
      return <OptionsField {...props} values={Array.isArray(value) ? (value as string[]) : []} onValues={onChange} />;
    case 'listed':
      return <ListedField {...props} />;
    case 'reference':
      return <SendChoice {...props} value={typeof value === 'string' ? value : ''} />;
  }
}

interface InputProps {
  label: string;
  value: unknown;
  error: boolean;
  helperText?: string;
  fullWidth?: boolean;
  onChange: (value: unknown) => void;
}

function NumberField({ value, whole, onChange, ...shown }: InputProps & { whole?: boolean }) {
  return (
    <TextField
      {...shown}
      type="number"
      value={typeof value === 'number' ? value : ''}
      onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
      slotProps={{
        htmlInput: { inputMode: whole ? 'numeric' : 'decimal', step: whole ? 1 : 'any', min: whole ? 1 : undefined },
      }}
    />
  );
}

function DateField({ value, onChange, ...shown }: InputProps) {
  return (
    <TextField
      {...shown}
      type="date"
      value={typeof value === 'string' ? value : ''}
      onChange={({ target }) => onChange(target.value)}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  );
}

function PairField({ kind, value, fault, onChange }: ValueFieldProps) {
  const [from, to] = Array.isArray(value) ? (value as unknown[]) : [];
  const Field = kind === 'dates' ? DateField : NumberField;
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: '1fr 1fr' }}>
      <Field
        label="From"
        value={from}
        error={Boolean(fault)}
        helperText={fault}
        onChange={(next) => onChange([next, to])}
      />
      <Field label="To" value={to} error={Boolean(fault)} onChange={(next) => onChange([from, next])} />
    </Box>
  );
}

function TextsField({ value, fault, onChange }: ValueFieldProps) {
  const texts = Array.isArray(value) ? (value as string[]) : [];
  const set = (next: readonly string[]) =>
    onChange(
      [...new Set(next.map((one) => one.trim().slice(0, MAX_TEXT_LENGTH)).filter(Boolean))].slice(
        0,
        FILTER_LIMITS.values,
      ),
    );
  return (
    <Autocomplete<string, true, false, true>
      multiple
      freeSolo
      autoSelect
      slotProps={smallChips}
      options={[]}
      value={texts}
      onChange={(_event, next) => set(next)}
      // Pasting a line with several values adds each of them.
      onInputChange={(_event, typed, reason) => {
        if (reason === 'input' && /[,;\n\t]/.test(typed)) set([...texts, ...typed.split(/[,;\n\t]/)]);
      }}
      renderInput={(params) => (
        <TextField
          {...params}
          label="Values"
          error={Boolean(fault)}
          helperText={fault ?? 'Enter or a comma ends each'}
        />
      )}
    />
  );
}

interface OptionsFieldProps extends ValueFieldProps {
  values: readonly string[];
  onValues: (values: string[]) => void;
}

const plurals: Record<string, string> = { tag: 'Tags', list: 'Lists' };

function OptionsField({ term, terms, values, fault, onValues }: OptionsFieldProps) {
  return (
    <Autocomplete
      multiple
      disableCloseOnSelect
      autoHighlight
      slotProps={smallChips}
      options={term.options.map((option) => option.value)}
      // A value that no longer exists stays visible, so that it can be removed.
      value={[...values]}
      getOptionLabel={(value) => terms.valueLabel(term.field, value)}
      onChange={(_event, next) => onValues(next.slice(0, FILTER_LIMITS.values))}
      noOptionsText="Nothing to choose"
      renderInput={(params) => (
        <TextField {...params} label={plurals[term.noun ?? ''] ?? 'Values'} error={Boolean(fault)} helperText={fault} />
      )}
    />
  );
}

function ListedField(props: ValueFieldProps) {
  const { term, value, onChange } = props;
  const { values = [], state = '' } = (value ?? {}) as { values?: string[]; state?: string };
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: { xs: '1fr', sm: '3fr 2fr' } }}>
      <OptionsField {...props} values={values} onValues={(next) => onChange({ values: next, state })} />
      <TextField
        select
        label="Status"
        value={state}
        onChange={({ target }) => onChange({ values, state: target.value })}
      >
        {term.states.map((one) => (
          <MenuItem key={one.value} value={one.value}>
            {one.label}
          </MenuItem>
        ))}
      </TextField>
    </Box>
  );
}
