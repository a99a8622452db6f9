import Typography from '@mui/material/Typography';
import { useWatch } from 'react-hook-form';
import { GuardedDialog } from '../../../ui/dialog/guarded-dialog';
import { dialogState, DialogForm } from '../../../ui/form/dialog-form';
import { TextField } from '../../../ui/form/text-field';
import { placeFieldFaults, useZodForm } from '../../../ui/form/use-form';
import { useToast } from '../../../ui/toast';
import { failureText, useCreateList, useUpdateList, type EmailList } from '../api';
import { messages } from '../messages';
import { listSchema, listValues, toListChange, toNewList } from './list-schema';

/** Creates a list, or edits the one given. */
export function ListDialog({ open, list, onClose }: { open: boolean; list?: EmailList; onClose: () => void }) {
  return (
    <GuardedDialog open={open} onClose={onClose} maxWidth="sm" title={list ? 'Edit list' : 'Create a list'}>
      <ListForm list={list} onClose={onClose} />
    </GuardedDialog>
  );
}

function ListForm({ list, onClose }: { list?: EmailList; onClose: () => void }) {
  const form = useZodForm(listSchema, listValues(list));
  const [create] = useCreateList();
  const [update] = useUpdateList();
  const toast = useToast();
  const name = useWatch({ control: form.control, name: 'name' });
  const submit = form.handleSubmit(async (values) => {
    try {
      const saved = await (list ? update(list.id, toListChange(values, list)) : create(toNewList(values)));
      toast({ title: list ? messages.updated : messages.created, description: saved.name, variant: 'success' });
      onClose();
    } catch (error) {
      const [title, text] = list ? [messages.updateFailed, messages.updateFailedText] : [messages.createFailed, messages.createFailedText];
      const description = failureText(error, text);
      if (!placeFieldFaults(form, error)) form.setError('root.server', { message: `${title}: ${description}` });
      toast({ title, description, variant: 'destructive' });
    }
  });
  const { control } = form;
  return (
    <DialogForm onSubmit={(event) => void submit(event)} submitLabel={list ? 'Save changes' : 'Create List'} {...dialogState(form)} disabled={!name.trim()}>
      <TextField control={control} name="name" label="Name" placeholder="Java vendors, East Coast" maxLength={200} autoFocus />
      <TextField control={control} name="description" label="Description" optional multiline minRows={2} maxRows={6} maxLength={2000} />
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1.5 }}>
        Shown to people who open the list's public page. Left empty, your own agency and name stand there.
      </Typography>
      <TextField control={control} name="ownerName" label="Owner's name" optional maxLength={200} />
      <TextField control={control} name="agencyName" label="Agency name" optional maxLength={200} />
      <TextField control={control} name="agencyLogo" label="Agency logo" optional type="url" placeholder="https://" maxLength={2048} />
    </DialogForm>
  );
}
