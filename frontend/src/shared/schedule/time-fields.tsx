import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { AdapterLuxon } from '@mui/x-date-pickers/AdapterLuxon';
import { DesktopDatePicker } from '@mui/x-date-pickers/DesktopDatePicker';
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider';
import { TimeField } from '@mui/x-date-pickers/TimeField';
import { DateTime } from 'luxon';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useNow } from '../../lib/use-now';
import type { TimeFieldsProps } from './local-time';
import { chosenTime, proposedTime, zoneOption, zoneOptions } from './schedule-time';

const NOW_REFRESH_MS = 15_000;

/** The pickers have inputs of their own, to which the theme's overrides do not apply. */
const PICKER_STYLE = {
  '& .MuiPickersOutlinedInput-root': { borderRadius: '8px', bgcolor: 'surface.base' },
  '& .MuiPickersOutlinedInput-notchedOutline': {
    top: 0,
    borderColor: 'controlBorder',
    '& legend': { display: 'none' },
  },
  '& [class*=sectionsContainer]': { py: '9px', lineHeight: 1.45 },
} as const;

/** Date, time and time zone of a scheduled email, with a sentence that says when it leaves. */
export default function TimeFields({ value, onChange, ownZone, isAsked, disabled }: TimeFieldsProps) {
  const now = useNow(NOW_REFRESH_MS);
  const [entered, setEntered] = useState(() => enteredOf(value.at || proposedTime(value.timeZone)));
  const chosen = chosenTime(value, ownZone, now);
  const fault = chosen && 'fault' in chosen ? chosen.fault : isAsked && !chosen ? 'Enter a date and a time' : null;
  const enter = (change: Partial<Entered>) => {
    const next = { ...entered, ...change };
    setEntered(next);
    onChange({ ...value, at: atOf(next), later: false });
  };
  // The proposed time counts as the chosen one unless the user changes it.
  const propose = useEffectEvent(() => {
    if (!value.at) onChange({ ...value, at: atOf(entered) });
  });
  useEffect(() => propose(), []);
  const today = DateTime.fromMillis(now, { zone: value.timeZone });
  return (
    <LocalizationProvider dateAdapter={AdapterLuxon} adapterLocale="en-US">
      <Stack sx={{ gap: 2 }}>
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
          <DesktopDatePicker
            label="Date"
            value={entered.day}
            onChange={(day) => enter({ day })}
            minDate={wall(today)}
            maxDate={wall(today.plus({ days: 180 }))}
            disabled={disabled}
            slotProps={{ textField: { fullWidth: true, error: Boolean(fault), sx: PICKER_STYLE } }}
          />
          <TimeField
            label="Time"
            value={entered.time}
            onChange={(time) => enter({ time })}
            ampm
            fullWidth
            disabled={disabled}
            slotProps={{ textField: { error: Boolean(fault), sx: PICKER_STYLE } }}
          />
        </Box>
        <ZoneField value={value} onChange={onChange} ownZone={ownZone} disabled={disabled} />
        <Box aria-live="polite" sx={{ minHeight: 24 }}>
          {fault ? (
            <Typography variant="body2" color="error" role="alert">
              {fault}
            </Typography>
          ) : (
            chosen &&
            'words' in chosen && (
              <Typography variant="body2">
                {chosen.words}
                {chosen.own && ` ${chosen.own}`}
              </Typography>
            )
          )}
        </Box>
        {chosen && 'words' in chosen && chosen.second && (
          <FormControlLabel
            control={
              <Checkbox
                checked={value.later}
                disabled={disabled}
                onChange={(_event, later) => onChange({ ...value, later })}
              />
            }
            label={`Clocks go back then: the second ${chosen.second}`}
            sx={{ mt: -1 }}
          />
        )}
      </Stack>
    </LocalizationProvider>
  );
}

function ZoneField({ value, onChange, ownZone, disabled }: Omit<TimeFieldsProps, 'isAsked'>) {
  const [isOpen, setOpen] = useState(false);
  // Computed only when the list is opened, because naming hundreds of zones takes long.
  const options = useMemo(
    () => (isOpen ? zoneOptions([ownZone, value.timeZone]) : [zoneOption(value.timeZone)]),
    [isOpen, ownZone, value.timeZone],
  );
  const chosen = options.find(({ id }) => id === value.timeZone) ?? zoneOption(value.timeZone);
  return (
    <Autocomplete
      options={options}
      value={chosen}
      open={isOpen}
      disabled={disabled}
      disableClearable
      autoHighlight
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      onChange={(_event, { id }) => onChange({ ...value, timeZone: id, later: false })}
      getOptionLabel={({ label }) => label}
      getOptionKey={({ id }) => id}
      isOptionEqualToValue={(one, other) => one.id === other.id}
      renderInput={(params) => <TextField {...params} label="Time zone" />}
    />
  );
}

/** Contents of the date field and of the time field. The zone is kept separately. */
interface Entered {
  day: DateTime | null;
  time: DateTime | null;
}

/** A local time for the fields: the same clock time in the browser's zone. */
const wall = (time: DateTime): DateTime => time.setZone('local', { keepLocalTime: true });

function enteredOf(at: string): Entered {
  const [day = '', time = ''] = at.split('T');
  return { day: DateTime.fromISO(day), time: DateTime.fromISO(`2026-01-01T${time}`) };
}

function atOf({ day, time }: Entered): string {
  if (!day?.isValid || !time?.isValid || day.year < 2000) return '';
  return `${day.toFormat('yyyy-MM-dd')}T${time.toFormat('HH:mm')}`;
}
