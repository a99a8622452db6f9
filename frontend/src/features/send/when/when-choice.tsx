import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useCurrentUser } from '../api';
import { LazyTimeFields } from '../../../shared/schedule/lazy-time-fields';
import type { LocalTime } from '../../../shared/schedule/local-time';
import { RadioCards } from '../../../ui/form/radio-cards';
import { IconClock, IconSend } from '../../../ui/icons';

/** When an email leaves: at once, or at a set time. */
export interface When {
  mode: 'now' | 'set';
  time: LocalTime;
}

const choices = [
  { value: 'now', label: 'Now', icon: IconSend },
  { value: 'set', label: 'At a set time', icon: IconClock },
] as const;

interface WhenChoiceProps {
  value: When;
  onChange: (value: When) => void;
  /** Whether the email is already scheduled, so that only its time is chosen. */
  isScheduled: boolean;
  /** Whether the button was pressed, so that missing input is reported. */
  isAsked: boolean;
  disabled: boolean;
}

/** The radio group "When", with date and time unless it is "now". */
export function WhenChoice({ value, onChange, isScheduled, isAsked, disabled }: WhenChoiceProps) {
  const { timeZone } = useCurrentUser();
  const fields = value.mode === 'set' && (
    <LazyTimeFields
      value={value.time}
      onChange={(time) => onChange({ ...value, time })}
      ownZone={timeZone}
      isAsked={isAsked}
      disabled={disabled}
    />
  );
  if (isScheduled)
    return (
      <Box component="fieldset" sx={{ border: 0, m: 0, mt: 3, p: 0, minWidth: 0 }}>
        <Typography component="legend" variant="subtitle2" sx={{ p: 0, mb: 1.5, fontWeight: 580 }}>
          When
        </Typography>
        {fields}
      </Box>
    );
  return (
    <Stack sx={{ gap: 2, mt: 3 }}>
      <RadioCards
        legend="When"
        name="when"
        choices={choices}
        value={value.mode}
        onChange={(mode) => !disabled && onChange({ ...value, mode })}
      />
      {fields}
    </Stack>
  );
}
