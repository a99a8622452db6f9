import Stack from '@mui/material/Stack';
import { useNavigate } from 'react-router-dom';
import { routes } from '../../../lib/routes';
import { TextField } from '../../../ui/form/text-field';
import { placeFieldFaults, useZodForm } from '../../../ui/form/use-form';
import { SubmitButton } from '../../../ui/submit-button';
import { useToast } from '../../../ui/toast';
import { asked, refused } from '../answer';
import { useSubscribe, type PublicList } from '../api';
import { messages } from '../messages';
import { subscribeSchema } from './subscribe-schema';
import { TrapField, useTrap } from './trap';

/** An address for one list; what it gets is what the list's owner sends. */
export function SubscribeForm({ list }: { list: PublicList }) {
  const form = useZodForm(subscribeSchema, { email: '' });
  const trap = useTrap();
  const subscribe = useSubscribe();
  const toast = useToast();
  const navigate = useNavigate();
  const submit = form.handleSubmit(async ({ email }) => {
    try {
      await subscribe({ email, subscriptionType: list.subscriptionType, emailListId: list.id, ...trap.read() });
      toast(asked);
      void navigate(routes.subscribePending.path);
    } catch (error) {
      placeFieldFaults(form, error);
      toast(refused(error, messages.failedText));
    }
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack sx={{ gap: 1 }}>
        <TextField control={form.control} name="email" label="Email" type="email" autoComplete="email" maxLength={254} />
        <TrapField inputRef={trap.inputRef} />
        <SubmitButton size="large" fullWidth pending={form.formState.isSubmitting}>
          Subscribe
        </SubmitButton>
      </Stack>
    </form>
  );
}
