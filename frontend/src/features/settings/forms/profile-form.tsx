import MuiTextField from '@mui/material/TextField';
import { z } from 'zod';
import { firstNameField, lastNameField, optionalText } from '../../../lib/zod-texts';
import { FieldGrid } from '../../../ui/form/field-grid';
import { TextField } from '../../../ui/form/text-field';
import { useUnsavedInput } from '../../../lib/unsaved-changes';
import { useZodForm } from '../../../ui/form/use-form';
import { useSubmit } from '../../../ui/form/use-submit';
import { SubmitButton } from '../../../ui/submit-button';
import { useToast } from '../../../ui/toast';
import { useChangeName, useChangeSettings, useCurrentUser } from '../api';
import { messages } from '../messages';
import { TimeZoneField } from './time-zone-field';

const schema = z.object({ firstName: firstNameField, lastName: lastNameField, agencyName: optionalText(200), timeZone: z.string().min(1) });

/** Name, agency and time zone; the email is who the account is and stays. */
export function ProfileForm() {
  const user = useCurrentUser();
  const kept = { firstName: user.firstName ?? '', lastName: user.lastName ?? '', agencyName: user.agencyName ?? '', timeZone: user.timeZone };
  const form = useZodForm(schema, kept);
  useUnsavedInput(form.formState.isDirty);
  const changeName = useChangeName();
  const changeSettings = useChangeSettings();
  const toast = useToast();
  const submit = useSubmit(form, { title: messages.updateFailed, text: messages.tryAgain }, async ({ firstName, lastName, agencyName, timeZone }) => {
    if (firstName !== kept.firstName || lastName !== kept.lastName) await changeName({ firstName, lastName });
    if (agencyName !== kept.agencyName || timeZone !== kept.timeZone) await changeSettings({ agencyName, timeZone });
    form.reset({ firstName, lastName, agencyName, timeZone });
    toast({ title: messages.updated, description: messages.profileSaved, variant: 'success' });
  });
  const { control } = form;
  return (
    <form onSubmit={submit} noValidate>
      <FieldGrid>
        <TextField control={control} name="firstName" label="First name" autoComplete="given-name" maxLength={100} />
        <TextField control={control} name="lastName" label="Last name" autoComplete="family-name" maxLength={100} />
        <MuiTextField id="settings-email" label="Email" value={user.email} disabled helperText=" " />
        <TextField control={control} name="agencyName" label="Agency name" optional autoComplete="organization" maxLength={200} />
        <TimeZoneField control={control} name="timeZone" label="Time zone" />
      </FieldGrid>
      <SubmitButton sx={{ mt: 2 }} pending={form.formState.isSubmitting} disabled={!form.formState.isDirty}>
        Save changes
      </SubmitButton>
    </form>
  );
}
