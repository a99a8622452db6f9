import Box from '@mui/material/Box';
import { z } from 'zod';
import { currentPasswordField, newPasswordField, texts } from '../../../lib/zod-texts';
import { FieldGrid } from '../../../ui/form/field-grid';
import { PasswordField } from '../../../ui/form/password-field';
import { useUnsavedInput } from '../../../lib/unsaved-changes';
import { useZodForm } from '../../../ui/form/use-form';
import { useSubmit } from '../../../ui/form/use-submit';
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
  useUnsavedInput(form.formState.isDirty);
  const change = useChangePassword();
  const toast = useToast();
  const submit = useSubmit(form, { title: messages.updateFailed, text: messages.tryAgain }, async ({ currentPassword, newPassword }) => {
    await change(currentPassword, newPassword);
    form.reset(empty);
    toast({ title: messages.passwordChanged, description: messages.passwordChangedText, variant: 'success' });
  });
  const { control } = form;
  return (
    <form onSubmit={submit} noValidate>
      {/* Tells password managers whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <FieldGrid>
        <Box sx={{ gridColumn: { sm: '1 / 2' } }}>
          <PasswordField control={control} name="currentPassword" label="Current password" autoComplete="current-password" />
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
