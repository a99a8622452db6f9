import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useRef, useState } from 'react';
import type { ContactType } from '../../../lib/roles';
import { EMAIL, texts } from '../../../lib/texts';
import { RadioCards } from '../../../ui/form/radio-cards';
import { IconJob, IconUsers } from '../../../ui/icons';
import type { Toast } from '../../../ui/toast';
import { asked, refused } from '../answer';
import { subscribeLightly } from '../light-call';
import { messages } from '../messages';
import { TrapField, useTrap } from './trap';

const types = [
  { value: 'job-posts', label: 'Job posts', text: 'Openings from recruiters', icon: IconJob },
  { value: 'candidate-lists', label: 'Candidate lists', text: 'People who are available', icon: IconUsers },
] as const;

interface NetworkFormProps {
  onAsked: (toast: Toast) => void;
  onRefused: (toast: Toast) => void;
}

/**
 * An address for the shared network, and what it wants. It stands on the landing page, whose first visit must be light:
 * one field and one choice need no form library.
 */
export function NetworkForm({ onAsked, onRefused }: NetworkFormProps) {
  const [email, setEmail] = useState('');
  const [subscriptionType, setType] = useState<ContactType>('job-posts');
  const [touched, setTouched] = useState(false);
  const [pending, setPending] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const trap = useTrap();
  const isAddress = email.trim().length <= 254 && EMAIL.test(email.trim());
  const fault = touched && !isAddress ? texts.email : undefined;
  const submit = async () => {
    setTouched(true);
    if (!isAddress) return field.current?.focus();
    setPending(true);
    try {
      await subscribeLightly({ email: email.trim(), subscriptionType, ...trap.read() });
      onAsked(asked);
    } catch (error) {
      onRefused(refused(error, messages.landingFailedText));
    }
    setPending(false);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!pending) void submit();
      }}
      noValidate
      aria-label="Subscribe"
    >
      <RadioCards legend="What would you like to receive?" name="subscriptionType" choices={types} value={subscriptionType} onChange={setType} />
      <Box sx={{ display: 'flex', columnGap: 1.5, rowGap: 1, mt: 2, alignItems: 'flex-start', flexWrap: 'wrap' }}>
        <FormControl error={Boolean(fault)} sx={{ flex: '1 1 15rem' }}>
          <InputLabel htmlFor="subscribe-email">Email</InputLabel>
          <OutlinedInput
            id="subscribe-email"
            name="email"
            type="email"
            autoComplete="email"
            inputRef={field}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            onBlur={() => setTouched(email !== '')}
            slotProps={{ input: { 'aria-required': true } }}
            aria-describedby="subscribe-email-text"
          />
          <FormHelperText id="subscribe-email-text">{fault ?? 'We ask you to confirm by email first.'}</FormHelperText>
        </FormControl>
        <TrapField inputRef={trap.inputRef} />
        <Button type="submit" variant="contained" size="large" loading={pending} aria-busy={pending || undefined} sx={{ mt: { xs: 0, sm: '24px' }, flex: { xs: '1 1 100%', sm: 'none' }, minWidth: 128 }}>
          Subscribe
        </Button>
      </Box>
    </form>
  );
}
