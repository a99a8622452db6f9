import Autocomplete from '@mui/material/Autocomplete';
import MuiTextField from '@mui/material/TextField';
import { useId, useMemo } from 'react';
import { useController, type FieldValues } from 'react-hook-form';
import { z } from 'zod';
import { client } from '../../api/client';
import { useCurrentUser } from '../../api/session';
import { useUnsavedInput } from '../../lib/unsaved-changes';
import { firstNameField, lastNameField, optionalText } from '../../lib/zod-texts';
import { SubmitButton } from '../../ui/form/submit-button';
import { FieldGrid, TextField, type FieldBinding } from '../../ui/form/text-field';
import { useSubmit, useZodForm } from '../../ui/form/use-form';
import { useToast } from '../../ui/toast/toast';
import { messages } from './messages';
import { zoneName } from '../../lib/format';

const schema = z.object({
  firstName: firstNameField,
  lastName: lastNameField,
  agencyName: optionalText(200),
  timeZone: z.string().min(1),
});

/** Name, agency and time zone. The email identifies the account and cannot be changed. */
export function ProfileForm() {
  const user = useCurrentUser();
  const saved = {
    firstName: user.firstName ?? '',
    lastName: user.lastName ?? '',
    agencyName: user.agencyName ?? '',
    timeZone: user.timeZone,
  };
  const form = useZodForm(schema, saved);
  useUnsavedInput(form.formState.isDirty);
  const [changeName] = client.useChangeNameMutation();
  const [changeSettings] = client.useChangeSettingsMutation();
  const toast = useToast();
  const submit = useSubmit(
    form,
    { title: messages.updateFailed, text: messages.tryAgain },
    async ({ firstName, lastName, agencyName, timeZone }) => {
      if (firstName !== saved.firstName || lastName !== saved.lastName)
        await changeName({ changeNameDto: { firstName, lastName } }).unwrap();
      if (agencyName !== saved.agencyName || timeZone !== saved.timeZone)
        await changeSettings({ changeSettingsDto: { agencyName, timeZone } }).unwrap();
      form.reset({ firstName, lastName, agencyName, timeZone });
      toast({ title: messages.updated, description: messages.profileSaved, variant: 'success' });
    },
  );
  const { control } = form;
  return (
    <form onSubmit={submit} noValidate>
      <FieldGrid>
        <TextField control={control} name="firstName" label="First name" autoComplete="given-name" maxLength={100} />
        <TextField control={control} name="lastName" label="Last name" autoComplete="family-name" maxLength={100} />
        <MuiTextField id="settings-email" label="Email" value={user.email} disabled helperText=" " />
        <TextField
          control={control}
          name="agencyName"
          label="Agency name"
          optional
          autoComplete="organization"
          maxLength={200}
        />
        <TimeZoneField control={control} name="timeZone" label="Time zone" />
      </FieldGrid>
      <SubmitButton sx={{ mt: 2 }} pending={form.formState.isSubmitting} disabled={!form.formState.isDirty}>
        Save changes
      </SubmitButton>
    </form>
  );
}

/** The time zone in which the account's days are counted, found by typing a part of its name. */
function TimeZoneField<Values extends FieldValues>({ control, name, label }: FieldBinding<Values>) {
  const { field, fieldState } = useController({ control, name });
  const id = useId();
  const kept = String(field.value);
  const zones = useMemo(() => [...new Set(['UTC', kept, ...Intl.supportedValuesOf('timeZone')])], [kept]);
  return (
    <Autocomplete
      id={id}
      options={zones}
      value={kept}
      disableClearable
      onChange={(_event, zone) => field.onChange(zone)}
      onBlur={field.onBlur}
      getOptionLabel={zoneName}
      renderInput={(params) => (
        <MuiTextField
          {...params}
          label={label}
          inputRef={field.ref}
          error={Boolean(fieldState.error)}
          helperText={fieldState.error?.message ?? 'Your day, and its sends, begin at midnight there'}
        />
      )}
    />
  );
}
