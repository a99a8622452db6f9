import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useSearchParams } from 'react-router-dom';
import { roleLabel, roles, type Role } from '../../../lib/roles';
import { orAbsent } from '../../../lib/zod-texts';
import { PasswordField } from '../../../ui/form/password-field';
import { RadioCardsField } from '../../../ui/form/radio-cards-field';
import { TextField } from '../../../ui/form/text-field';
import { useUnsavedInput } from '../../../lib/unsaved-changes';
import { useZodForm } from '../../../ui/form/use-form';
import { useSubmit } from '../../../ui/form/use-submit';
import { IconJob, IconUsers } from '../../../ui/icons';
import { SubmitButton } from '../../../ui/submit-button';
import { useToast } from '../../../ui/toast';
import { useRegister } from '../api';
import { ReferralNote } from '../components/referral-note';
import { messages } from '../messages';
import { emptyRegistration, registerSchema } from './register-schema';

const roleChoices = [
  { value: roles[0], label: roleLabel(roles[0]), text: 'I send job posts', icon: IconJob },
  { value: roles[1], label: roleLabel(roles[1]), text: 'I send candidate lists', icon: IconUsers },
] as const;

/** Names, email, role, agency and password; signs the person in at once. */
export function RegisterForm() {
  const [params] = useSearchParams();
  const referralCode = params.get('ref') ?? undefined;
  const form = useZodForm(registerSchema, emptyRegistration);
  useUnsavedInput(form.formState.isDirty);
  const [register] = useRegister();
  const toast = useToast();
  const submit = useSubmit(form, { title: messages.registrationFailed, text: messages.tryAgain }, async ({ confirmPassword: _confirmed, agencyName, role, ...values }) => {
    const { answer, refresh } = await register({
      ...values,
      role: role as Role,
      agencyName: orAbsent(agencyName),
      referralCode: orAbsent(referralCode),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
    toast({ title: messages.registered, description: answer.message || messages.registeredFallback, variant: 'success' });
    await refresh();
  });
  const { control } = form;
  return (
    <form onSubmit={submit} noValidate>
      <Stack sx={{ gap: 1.25 }}>
        {referralCode && <ReferralNote code={referralCode} />}
        <Box sx={{ display: 'grid', columnGap: 2, rowGap: 1.25, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }}>
          <TextField control={control} name="firstName" label="First name" autoComplete="given-name" maxLength={100} autoFocus />
          <TextField control={control} name="lastName" label="Last name" autoComplete="family-name" maxLength={100} />
        </Box>
        <TextField control={control} name="email" label="Email" type="email" autoComplete="email" />
        <RadioCardsField control={control} name="role" label="What do you do?" choices={roleChoices} />
        <TextField control={control} name="agencyName" label="Agency name" optional autoComplete="organization" maxLength={200} />
        <PasswordField control={control} name="password" label="Password" autoComplete="new-password" hint />
        <PasswordField control={control} name="confirmPassword" label="Confirm password" autoComplete="new-password" />
        <SubmitButton size="large" fullWidth sx={{ mt: 0.5 }} pending={form.formState.isSubmitting}>
          Create account
        </SubmitButton>
      </Stack>
    </form>
  );
}
