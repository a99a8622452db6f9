import Link from '@mui/material/Link';
import { useState } from 'react';
import { Link as RouterLink, useNavigate } from 'react-router-dom';
import { z } from 'zod';
import { isApiError } from '../../api/api-error';
import { client } from '../../api/client';
import { useCurrentUser } from '../../api/session';
import { contactProfilePath } from '../../lib/routes';
import { emailField, optionalText, orAbsent } from '../../lib/zod-texts';
import { ContactAddressField } from '../../shared/contact-address-field';
import { dialogState, FormDialog } from '../../ui/dialog/dialog-form';
import { FieldGrid, SelectField, TextField } from '../../ui/form/text-field';
import { useSubmit, useZodForm } from '../../ui/form/use-form';
import { useToast } from '../../ui/toast/toast';
import { messages, useOwnLists } from './api';

const schema = z.object({
  email: emailField,
  firstName: optionalText(100),
  lastName: optionalText(100),
  company: optionalText(200),
  list: z.string(),
});

/** Adds one person, and to a list if one is chosen. */
export function AddProfileDialog({ onClose }: { onClose: () => void }) {
  const form = useZodForm(schema, { email: '', firstName: '', lastName: '', company: '', list: '' });
  const { isVerified } = useCurrentUser();
  const [add] = client.useAddProfileMutation();
  const [known, setKnown] = useState<string>();
  const { lists, limitHint } = useOwnLists();
  const navigate = useNavigate();
  const toast = useToast();
  const submit = useSubmit(
    form,
    { title: messages.addFailed, text: messages.tryAgain, fields: { contact_exists: 'email', suppressed: 'email' } },
    async ({ email, list, ...texts }) => {
      setKnown(undefined);
      try {
        const { id } = await add({
          createProfileDto: {
            email,
            firstName: orAbsent(texts.firstName),
            lastName: orAbsent(texts.lastName),
            company: orAbsent(texts.company),
            ...(list && { listIds: [list] }),
          },
        }).unwrap();
        toast({ title: messages.added, description: email, variant: 'success' });
        onClose();
        void navigate(contactProfilePath(id));
      } catch (error) {
        setKnown(idOfKnown(error));
        throw error;
      }
    },
  );
  const { control } = form;
  return (
    <FormDialog
      title="Add contact"
      onSubmit={submit}
      onClose={onClose}
      submitLabel="Add Contact"
      {...dialogState(form)}
    >
      <ContactAddressField control={control} name="email" />
      {known && (
        <Link
          component={RouterLink}
          to={contactProfilePath(known)}
          variant="body2"
          sx={{ mt: -1, mb: 1, alignSelf: 'start' }}
        >
          Open that contact
        </Link>
      )}
      <FieldGrid>
        <TextField control={control} name="firstName" label="First name" optional autoComplete="off" maxLength={100} />
        <TextField control={control} name="lastName" label="Last name" optional autoComplete="off" maxLength={100} />
      </FieldGrid>
      <TextField control={control} name="company" label="Company" optional autoComplete="off" maxLength={200} />
      <SelectField
        control={control}
        name="list"
        label="Put them on"
        choices={[{ value: '', label: 'No list yet' }, ...lists.map(({ id, name }) => ({ value: id, label: name }))]}
        helperText={[
          isVerified
            ? 'On a list, they get one email asking them to confirm.'
            : 'On a list, they are asked to confirm once you have verified your own address.',
          limitHint,
        ]
          .filter(Boolean)
          .join(' ')}
      />
    </FormDialog>
  );
}

/** Id of the contact that already has the address. */
function idOfKnown(error: unknown): string | undefined {
  if (!isApiError(error) || error.code !== 'contact_exists') return undefined;
  return typeof error.facts?.id === 'string' ? error.facts.id : undefined;
}
