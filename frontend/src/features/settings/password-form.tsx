import Box from '@mui/material/Box';
import { z } from 'zod';
import { client } from '../../api/client';
import { useCurrentUser } from '../../api/session';
import { useUnsavedInput } from '../../lib/unsaved-changes';
import { currentPasswordField, newPasswordField, passwordsDiffer } from '../../lib/zod-texts';
import { PasswordField } from '../../ui/form/password-field';
import { SubmitButton } from '../../ui/form/submit-button';
import { FieldGrid } from '../../ui/form/text-field';
import { useSubmit, useZodForm } from '../../ui/form/use-form';
import { useToast } from '../../ui/toast/toast';
import { messages } from './messages';

const schema = z
  .object({ currentPassword: currentPasswordField, newPassword: newPasswordField, confirmPassword: z.string() })
  .refine((values) => values.newPassword === values.confirmPassword, passwordsDiffer);

const empty = { currentPassword: '', newPassword: '', confirmPassword: '' };

/** Changes the password. */
export function PasswordForm() {
  const { email } = useCurrentUser();
  const form = useZodForm(schema, empty);
  useUnsavedInput(form.formState.isDirty);
  const [change] = client.useChangePasswordMutation();
  const toast = useToast();
  const submit = useSubmit(
    form,
    { title: messages.updateFailed, text: messages.tryAgain },
    async ({ currentPassword, newPassword }) => {
      await change({ changePasswordDto: { currentPassword, newPassword } }).unwrap();
      form.reset(empty);
      toast({ title: messages.passwordChanged, description: messages.passwordChangedText, variant: 'success' });
    },
  );
  const { control } = form;
  return (
    <form onSubmit={submit} noValidate>
      {/* Tells password managers to which account the password belongs. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <FieldGrid>
        <Box sx={{ gridColumn: { sm: '1 / 2' } }}>
          <PasswordField
            control={control}
            name="currentPassword"
            label="Current password"
            autoComplete="current-password"
          />
        </Box>
        <Box sx={{ gridColumn: { sm: '1 / 2' } }}>
          <PasswordField control={control} name="newPassword" label="New password" autoComplete="new-password" hint />
        </Box>
        <PasswordField control={control} name="confirmPassword" label="Confirm password" autoComplete="new-password" />
      </FieldGrid>
      <SubmitButton sx={{ mt: 2 }} pending={form.formState.isSubmitting}>
        Change password
      </SubmitButton>
    </form>
  );
}
