import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { client } from '../../api/client';
import { useAskWhoIsSignedIn } from '../../api/session';
import { AppLink, Redirect, usePathPart, useSearch } from '../../lib/navigation';
import { PRODUCT_NAME } from '../../lib/product';
import { registerPath, routes } from '../../lib/routes';
import { useUnsavedInput } from '../../lib/unsaved-changes';
import { orAbsent } from '../../lib/zod-texts';
import { RoleField } from '../../shared/role-field';
import type { Role } from '../../lib/roles';
import { PasswordField } from '../../ui/form/password-field';
import { SubmitButton } from '../../ui/form/submit-button';
import { TextField } from '../../ui/form/text-field';
import { useSubmit, useZodForm } from '../../ui/form/use-form';
import { IconReferrals } from '../../ui/icons';
import { FormCard } from '../../ui/page/public-page';
import { useToast } from '../../ui/toast/toast';
import { GuestGuard } from './guest-guard';
import { messages } from './messages';
import { emptyRegistration, registerSchema } from './register-schema';

export function RegisterScreen() {
  return (
    <GuestGuard>
      <FormCard
        title="Create your account"
        text="Free to start, no credit card."
        footer={
          <>
            Have an account?{' '}
            <Link component={AppLink} to={routes.login.path}>
              Sign in
            </Link>
          </>
        }
      >
        <RegisterForm />
      </FormCard>
    </GuestGuard>
  );
}

/**
 * Redirects an invite's URL to the registration with the invite's code, as the server does for a visitor from outside.
 */
export function InviteRedirect() {
  const code = usePathPart('invite', 'code');
  return <Redirect to={registerPath(code || undefined)} />;
}

/** The registration. It signs the person in at once. */
function RegisterForm() {
  const referralCode = useSearch().get('ref') ?? undefined;
  const form = useZodForm(registerSchema, emptyRegistration);
  useUnsavedInput(form.formState.isDirty);
  const [register] = client.useRegisterMutation();
  const askWhoIsSignedIn = useAskWhoIsSignedIn();
  const toast = useToast();
  const submit = useSubmit(
    form,
    { title: messages.registrationFailed, text: messages.tryAgain },
    async ({ confirmPassword: _confirmed, agencyName, role, ...values }) => {
      const registered = await register({
        registerDto: {
          ...values,
          role: role as Role,
          agencyName: orAbsent(agencyName),
          referralCode: orAbsent(referralCode),
          timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        },
      }).unwrap();
      toast({
        title: messages.registered,
        description: registered.message || messages.registeredFallback,
        variant: 'success',
      });
      await askWhoIsSignedIn();
    },
  );
  const { control } = form;
  return (
    <form onSubmit={submit} noValidate>
      <Stack sx={{ gap: 1.25 }}>
        {referralCode && <ReferralNote code={referralCode} />}
        <Box
          sx={{
            display: 'grid',
            columnGap: 2,
            rowGap: 1.25,
            gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' },
            alignItems: 'start',
          }}
        >
          <TextField
            control={control}
            name="firstName"
            label="First name"
            autoComplete="given-name"
            maxLength={100}
            autoFocus
          />
          <TextField control={control} name="lastName" label="Last name" autoComplete="family-name" maxLength={100} />
        </Box>
        <TextField control={control} name="email" label="Email" type="email" autoComplete="email" />
        <RoleField control={control} name="role" />
        <TextField
          control={control}
          name="agencyName"
          label="Agency name"
          optional
          autoComplete="organization"
          maxLength={200}
        />
        <PasswordField control={control} name="password" label="Password" autoComplete="new-password" hint />
        <PasswordField control={control} name="confirmPassword" label="Confirm password" autoComplete="new-password" />
        <SubmitButton size="large" fullWidth sx={{ mt: 0.5 }} pending={form.formState.isSubmitting}>
          Create account
        </SubmitButton>
      </Stack>
    </form>
  );
}

/**
 * Shows that a referral code is used, and whose it is. The server remembers the code for this browser; an unknown code
 * changes nothing.
 */
function ReferralNote({ code }: { code: string }) {
  const [noteVisit, { data }] = client.useNoteVisitMutation();
  const inviterName = data?.inviterName;
  useEffect(() => void noteVisit({ visitDto: { ref: code } }), [noteVisit, code]);
  return (
    <Alert severity="success" icon={<IconReferrals size={18} aria-hidden />} sx={{ mb: 2 }}>
      <Typography component="span" sx={{ display: 'block', fontSize: 'inherit' }}>
        {messages.referral}
      </Typography>
      {inviterName && (
        <Typography component="span" sx={{ display: 'block', fontSize: 'inherit', overflowWrap: 'anywhere' }}>
          {inviterName} invited you to {PRODUCT_NAME}.
        </Typography>
      )}
    </Alert>
  );
}
