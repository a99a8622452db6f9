import Box from '@mui/material/Box';
import { z } from 'zod';
import { errorMessage } from '../../../api/api-error';
import { currentPasswordField, newPasswordField, texts } from '../../../lib/zod-texts';
import { PasswordField } from '../../../ui/form/password-field';
import { placeFieldFaults, useZodForm } from '../../../ui/form/use-form';
import { SubmitButton } from '../../../ui/submit-button';
import { useToast } from '../../../ui/toast';
import { useChangePassword, useCurrentUser } from '../api';
import { messages } from '../messages';

const schema = z
  .object({ currentPassword: currentPasswordField, newPassword: newPasswordField, confirmPassword: z.string() })
  .refine((values) => values.newPassword === values.confirmPassword, { path: ['confirmPassword'], message: texts.passwordsDiffer });

const empty = { currentPassword: '', newPassword: '', confirmPassword: '' };

/** The present password and the new one, twice. */
export function PasswordForm() {
  const { email } = useCurrentUser();
  const form = useZodForm(schema, empty);
  const change = useChangePassword();
  const toast = useToast();
  const submit = form.handleSubmit(async ({ currentPassword, newPassword }) => {
    try {
      await change(currentPassword, newPassword);
      form.reset(empty);
      toast({ title: messages.passwordChanged, description: messages.passwordChangedText, variant: 'success' });
    } catch (error) {
      placeFieldFaults(form, error);
      toast({ title: messages.updateFailed, description: errorMessage(error, messages.tryAgain), variant: 'destructive' });
    }
  });
  const { control } = form;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      {/* Tells password managers whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Box sx={{ display: 'grid', columnGap: 2, rowGap: 1, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' }, alignItems: 'start' }}>
        <Box sx={{ gridColumn: { sm: '1 / 2' } }}>
          <PasswordField control={control} name="currentPassword" label="Current password" autoComplete="current-password" />
        </Box>
        <Box sx={{ gridColumn: { sm: '1 / 2' } }}>
          <PasswordField control={control} name="newPassword" label="New password" autoComplete="new-password" hint />
        </Box>
        <PasswordField control={control} name="confirmPassword" label="Confirm password" autoComplete="new-password" />
      </Box>
      <SubmitButton sx={{ mt: 2 }} pending={form.formState.isSubmitting}>
        Change password
      </SubmitButton>
    </form>
  );
}
