import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormGroup from '@mui/material/FormGroup';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import MenuItem from '@mui/material/MenuItem';
import Switch from '@mui/material/Switch';
import { useId, type ReactNode } from 'react';
import { lengthHint } from '../../../lib/format';
import { FieldGrid } from '../../../ui/form/text-field';
import type { GuessedPart } from './api';
import { guessesOf, type Guess } from './guesses';
import { JobField, helperLine } from './job-field';
import {
  MAX_DESCRIPTION_LENGTH,
  errorsOf,
  isSameValue,
  namesCitizenship,
  valuesOf,
  type JobValues,
  type Term,
  type TextName,
} from './job-values';
import { requirementMessages as texts } from './messages';
import type { Entry } from './use-requirement';

/** The part of the job whose guess belongs to each field. */
const sources: Record<keyof JobValues, GuessedPart> = {
  title: 'title',
  client: 'hiringOrganization',
  isClientShown: 'hiringOrganization',
  location: 'jobLocations',
  workMode: 'workMode',
  workModeNote: 'workMode',
  rate: 'baseSalary',
  terms: 'employmentTypes',
  duration: 'duration',
  start: 'startDate',
  workAuthorization: 'workAuthorization',
  experience: 'experienceYears',
  required: 'requiredSkills',
  preferred: 'preferredSkills',
  interview: 'interview',
  validThrough: 'validThrough',
  jobId: 'jobId',
  description: 'description',
};

const workModes: [value: JobValues['workMode'], label: string][] = [
  ['', 'Not known'],
  ['remote', 'Remote'],
  ['hybrid', 'Hybrid'],
  ['onsite', 'Onsite'],
];

const terms: [value: Term, label: string][] = [
  ['C2C', 'C2C'],
  ['W2', 'W2'],
  ['1099', '1099'],
  ['FULL_TIME', 'Full time'],
];

/** Id of a field's input, to focus it. */
export const fieldId = (name: TextName) => `requirement-${name}`;

interface JobFieldsProps {
  entry: Entry;
  onChange: (change: Partial<JobValues>) => void;
  /** Called when a field gets the focus, with its guess. */
  onFocus: (guess: Guess | null) => void;
}

/** Fields for the details of a job. Each one shows the mark of its guess until it is changed. */
export function JobFields({ entry: { requirement, values }, onChange, onFocus }: JobFieldsProps) {
  const before = valuesOf(requirement.job);
  const errors = errorsOf(values);
  const guesses = guessesOf(requirement);
  const guessOf = (name: keyof JobValues) => guesses.get(sources[name]);
  const shownGuess = (name: keyof JobValues) => (isSameValue(values, before, name) ? guessOf(name) : undefined);
  const focus = (name: keyof JobValues) => () => onFocus(guessOf(name) ?? null);
  const text = (name: TextName) => ({
    id: fieldId(name),
    value: values[name],
    onChange: (value: string) => onChange({ [name]: value }),
    onFocus: focus(name),
    error: errors[name],
    guess: shownGuess(name),
    autoComplete: 'off',
  });
  const description = lengthHint(values.description.trim().length, MAX_DESCRIPTION_LENGTH);
  return (
    <FieldGrid>
      <Wide>
        <JobField {...text('title')} label="Title" autoFocus />
      </Wide>
      <ClientField
        field={text('client')}
        isShown={values.isClientShown}
        onShow={(isClientShown) => onChange({ isClientShown })}
      />
      <JobField {...text('location')} label="Location" hint="Separate several with semicolons" />
      <JobField
        id="requirement-workMode"
        select
        label="Work mode"
        value={values.workMode}
        onChange={(value) => onChange({ workMode: workModes.find(([known]) => known === value)?.[0] ?? '' })}
        onFocus={focus('workMode')}
        guess={shownGuess('workMode')}
        slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
      >
        {workModes.map(([value, label]) => (
          <MenuItem key={value} value={value}>
            {label}
          </MenuItem>
        ))}
      </JobField>
      <JobField {...text('workModeNote')} label="Days in the office" guess={undefined} placeholder="3 days a week" />
      <JobField {...text('rate')} label="Rate" placeholder="$60-65/hr" />
      <TermsField
        chosen={values.terms}
        guess={shownGuess('terms')}
        onChange={(chosen) => onChange({ terms: chosen })}
        onFocus={focus('terms')}
      />
      <JobField {...text('duration')} label="Duration" />
      <JobField {...text('start')} label="Start" />
      <Wide>
        <JobField
          {...text('workAuthorization')}
          label="Work authorisation"
          multiline
          maxRows={6}
          hint={namesCitizenship(values.workAuthorization) ? texts.citizenship : 'As written, one a line'}
        />
      </Wide>
      <JobField {...text('experience')} label="Experience" placeholder="8+" hint="In years" />
      <JobField {...text('interview')} label="Interview" />
      <Wide>
        <JobField {...text('required')} label="Must-have skills" multiline maxRows={6} hint="Separate with commas" />
      </Wide>
      <Wide>
        <JobField {...text('preferred')} label="Nice-to-have" multiline maxRows={6} hint="Separate with commas" />
      </Wide>
      <JobField {...text('jobId')} label="Job ID" />
      {before.validThrough !== '' && <JobField {...text('validThrough')} label="Respond by" />}
      <Wide>
        <JobField
          {...text('description')}
          label="Description"
          multiline
          minRows={4}
          maxRows={12}
          hint={description.hint}
        />
      </Wide>
    </FieldGrid>
  );
}

const Wide = ({ children }: { children: ReactNode }) => (
  <Box sx={{ gridColumn: '1 / -1', minWidth: 0 }}>{children}</Box>
);

/** The client's name, and whether the post contains it. */
function ClientField({
  field: { guess, error, ...field },
  isShown,
  onShow,
}: {
  field: Parameters<typeof JobField>[0];
  isShown: boolean;
  onShow: (isShown: boolean) => void;
}) {
  return (
    <Box>
      <JobField {...field} label="Client" error={error} guess={guess} isLineOptional />
      <FormControlLabel
        control={<Switch size="small" checked={isShown} onChange={(_event, checked) => onShow(checked)} />}
        label={isShown ? texts.shown : texts.hidden}
        slotProps={{ typography: { variant: 'body2' } }}
        sx={{ ml: 0, mb: 1, gap: 0.75 }}
      />
    </Box>
  );
}

function TermsField({
  chosen,
  guess,
  onChange,
  onFocus,
}: {
  chosen: readonly Term[];
  guess: Guess | undefined;
  onChange: (chosen: readonly Term[]) => void;
  onFocus: () => void;
}) {
  const id = useId();
  return (
    <FormControl component="fieldset" onFocus={onFocus} aria-describedby={`${id}-text`}>
      <FormLabel
        component="legend"
        sx={{ fontSize: '0.8125rem', fontWeight: 580, '&, &.Mui-focused': { color: 'text.primary' } }}
      >
        Terms
      </FormLabel>
      <FormGroup row sx={{ columnGap: 0.5 }}>
        {terms.map(([value, label]) => (
          <FormControlLabel
            key={value}
            control={
              <Checkbox
                size="small"
                checked={chosen.includes(value)}
                onChange={(_event, checked) =>
                  onChange(checked ? [...chosen, value] : chosen.filter((one) => one !== value))
                }
              />
            }
            label={label}
          />
        ))}
      </FormGroup>
      <FormHelperText id={`${id}-text`} sx={{ ml: 0 }}>
        {helperLine(undefined, guess)}
      </FormHelperText>
    </FormControl>
  );
}
