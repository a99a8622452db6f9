import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { emailError } from '../../lib/texts';
import { useFields } from '../../lib/use-fields';
import type { ContactType } from '../../shared/contact';
import { PlainField } from '../../ui/form/plain-field';
import { RadioCards } from '../../ui/form/radio-cards';
import { IconJob, IconUsers } from '../../ui/icons';
import type { Toast } from '../../ui/toast/toast';
import { useIsHydrated } from '../../ui/use-is-hydrated';
import { messages, postSubscribe, refusedToast, subscribedToast } from './api';
import { HoneypotField, useHoneypot } from './honeypot';

const types = [
  { value: 'job-posts', label: 'Job posts', text: 'Openings from recruiters', icon: IconJob },
  { value: 'candidate-lists', label: 'Candidate lists', text: 'People who are available', icon: IconUsers },
] as const;

const checks = { email: emailError };

interface NetworkFormProps {
  onSubscribed: (toast: Toast) => void;
  onRefused: (toast: Toast) => void;
}

/**
 * Subscribes an address to the shared network, from the landing page. Does not use the form library, to keep the first
 * visit small.
 */
export function NetworkForm({ onSubscribed, onRefused }: NetworkFormProps) {
  const [subscriptionType, setType] = useState<ContactType>('job-posts');
  const { field, submit, pending } = useFields(checks);
  const honeypot = useHoneypot();
  const isHydrated = useIsHydrated();
  const onSubmit = submit(async ({ email }) => {
    try {
      await postSubscribe({ email: email.trim(), subscriptionType, ...honeypot.read() });
      onSubscribed(subscribedToast);
    } catch (error) {
      onRefused(refusedToast(error, messages.landingFailedText));
    }
  });
  return (
    <form onSubmit={(event) => void onSubmit(event)} noValidate aria-label="Subscribe">
      <RadioCards
        legend="What would you like to receive?"
        name="subscriptionType"
        choices={types}
        value={subscriptionType}
        onChange={setType}
      />
      <Box sx={{ display: 'flex', columnGap: 1.5, rowGap: 1, mt: 2, alignItems: 'flex-start', flexWrap: 'wrap' }}>
        <PlainField
          {...field('email')}
          label="Email"
          type="email"
          autoComplete="email"
          hint="We ask you to confirm by email first."
          sx={{ flex: '1 1 15rem' }}
        />
        <HoneypotField inputRef={honeypot.inputRef} />
        <Button
          type="submit"
          variant="contained"
          size="large"
          // Before the scripts run, the browser itself would submit the form, and put the address into the URL.
          disabled={!isHydrated}
          loading={pending}
          aria-busy={pending || undefined}
          sx={{ mt: { xs: 0, sm: '24px' }, flex: { xs: '1 1 100%', sm: 'none' }, minWidth: 128 }}
        >
          Subscribe
        </Button>
      </Box>
    </form>
  );
}
