import Typography from '@mui/material/Typography';
import { z } from 'zod';
import { client } from '../../../api/client';
import type { SenderProfileDto } from '../../../api/endpoints.gen';
import { useUnsavedInput } from '../../../lib/unsaved-changes';
import { optionalText } from '../../../lib/zod-texts';
import { AddressFields, addressOf, addressShape, checkAddress } from '../../../shared/address-fields';
import { useSaveSenderProfile } from '../../../shared/sender-profile';
import { SubmitButton } from '../../../ui/form/submit-button';
import { FieldGrid, TextField } from '../../../ui/form/text-field';
import { useSubmit, useZodForm } from '../../../ui/form/use-form';
import { QueryError } from '../../../ui/loading/section-error';
import { LoadingRegion, RowSkeletons } from '../../../ui/loading/skeletons';
import { useToast } from '../../../ui/toast/toast';
import { messages } from '../messages';

const webAddress = optionalText(200).refine(
  (value) => value === '' || /^https:\/\/[^\s/@]+(?:[/?#]|$)/i.test(value),
  'Please enter a web address that begins with https',
);
const schema = z
  .object({
    title: optionalText(200),
    phone: optionalText(200),
    website: webAddress,
    profileUrl: webAddress,
    ...addressShape,
  })
  .superRefine(checkAddress(false));

const valuesOf = (profile: SenderProfileDto) => ({
  title: profile.title ?? '',
  phone: profile.phone ?? '',
  website: profile.website ?? '',
  profileUrl: profile.profileUrl ?? '',
  ...addressOf(profile),
});

/** Who the sender is: details for the signature, and the business address that every email names. */
export function SenderForm() {
  const profile = client.useGetSenderProfileQuery();
  if (profile.data) return <Fields profile={profile.data} />;
  if (profile.error) return <QueryError query={profile} text={messages.senderFailed} />;
  return (
    <LoadingRegion label="Loading the sender profile">
      <RowSkeletons count={3} height={56} />
    </LoadingRegion>
  );
}

function Fields({ profile }: { profile: SenderProfileDto }) {
  const stored = valuesOf(profile);
  const form = useZodForm(schema, stored, stored);
  const save = useSaveSenderProfile();
  const toast = useToast();
  useUnsavedInput(form.formState.isDirty);
  const submit = useSubmit(form, { title: messages.updateFailed, text: messages.tryAgain }, async (values) => {
    form.reset(valuesOf(await save(profile, values)));
    toast({ title: messages.senderUpdated, description: messages.senderSaved, variant: 'success' });
  });
  const { control } = form;
  return (
    <form onSubmit={submit} noValidate>
      <FieldGrid>
        <TextField
          control={control}
          name="title"
          label="Title"
          optional
          autoComplete="organization-title"
          maxLength={200}
        />
        <TextField control={control} name="phone" label="Phone" optional autoComplete="tel" maxLength={200} />
        <TextField control={control} name="website" label="Website" optional autoComplete="url" maxLength={200} />
        <TextField control={control} name="profileUrl" label="LinkedIn" optional maxLength={200} />
      </FieldGrid>
      <Typography variant="h3" sx={{ mt: 1.5, mb: 1.5 }}>
        Business address
      </Typography>
      <AddressFields control={control} />
      <SubmitButton sx={{ mt: 2 }} pending={form.formState.isSubmitting} disabled={!form.formState.isDirty}>
        Save changes
      </SubmitButton>
    </form>
  );
}
