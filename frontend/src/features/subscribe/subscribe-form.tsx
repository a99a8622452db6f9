import Stack from '@mui/material/Stack';
import { isApiError } from '../../api/api-error';
import { useNavigation } from '../../lib/navigation';
import { routes } from '../../lib/routes';
import { emailError } from '../../lib/texts';
import { useFields } from '../../lib/use-fields';
import { PlainField } from '../../ui/form/plain-field';
import { SubmitButton } from '../../ui/form/submit-button';
import { useToast } from '../../ui/toast/toast';
import { messages, postSubscribe, refusedToast, subscribedToast, type PublicList } from './api';
import { HoneypotField, useHoneypot } from './honeypot';

const checks = { email: emailError };

/** Subscribes an address to one list. */
export function SubscribeForm({ list }: { list: PublicList }) {
  const { field, submit, refuse, pending } = useFields(checks);
  const honeypot = useHoneypot();
  const toast = useToast();
  const { go } = useNavigation();
  const onSubmit = submit(async ({ email }) => {
    try {
      await postSubscribe({
        email: email.trim(),
        subscriptionType: list.subscriptionType,
        emailListId: list.id,
        ...honeypot.read(),
      });
      toast(subscribedToast);
      go(routes.subscribePending.path);
    } catch (error) {
      if (isApiError(error)) refuse(error.details);
      toast(refusedToast(error, messages.failedText));
    }
  });
  return (
    <form onSubmit={(event) => void onSubmit(event)} noValidate>
      <Stack sx={{ gap: 1 }}>
        <PlainField {...field('email')} label="Email" type="email" autoComplete="email" />
        <HoneypotField inputRef={honeypot.inputRef} />
        <SubmitButton size="large" fullWidth pending={pending}>
          Subscribe
        </SubmitButton>
      </Stack>
    </form>
  );
}
