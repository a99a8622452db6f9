import DialogContentText from '@mui/material/DialogContentText';
import { client } from '../../../api/client';
import { AddressFields, addressOf, addressSchema } from '../../../shared/address-fields';
import { useSaveSenderProfile } from '../../../shared/sender-profile';
import { dialogState, FormDialog } from '../../../ui/dialog/dialog-form';
import { useSubmit, useZodForm } from '../../../ui/form/use-form';
import { messages } from '../messages';

interface AddressDialogProps {
  /** Called once the address is saved, to continue the send. */
  onSaved: () => void;
  onClose: () => void;
}

/** Asks for the business address that a send needs. */
export function AddressDialog({ onSaved, onClose }: AddressDialogProps) {
  const { data: profile, refetch } = client.useGetSenderProfileQuery();
  const save = useSaveSenderProfile();
  const form = useZodForm(addressSchema(true), addressOf(profile));
  const submit = useSubmit(form, { title: messages.addressFailed, text: 'Please try again' }, async (values) => {
    await save(profile ?? (await refetch().unwrap()), values);
    onSaved();
  });
  return (
    <FormDialog
      title="Add your business address"
      maxWidth="sm"
      onSubmit={submit}
      onClose={onClose}
      submitLabel="Save and continue"
      closeLabel="Not now"
      {...dialogState(form)}
    >
      <DialogContentText sx={{ mb: 1 }}>US law asks for a postal address in every commercial email.</DialogContentText>
      <AddressFields control={form.control} />
    </FormDialog>
  );
}
