import Typography from '@mui/material/Typography';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { client } from '../../api/client';
import { logoField, optionalText, orAbsent, texts } from '../../lib/zod-texts';
import { DialogForm, dialogState } from '../../ui/dialog/dialog-form';
import { GuardedDialog } from '../../ui/dialog/guarded-dialog';
import { TextField } from '../../ui/form/text-field';
import { applyServerErrors, useZodForm } from '../../ui/form/use-form';
import { useToast } from '../../ui/toast/toast';
import { failureText, messages, type EmailList, type EmailListChange, type NewEmailList } from './api';

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
  const [create] = client.useCreateEmailListMutation();
  const [update] = client.useUpdateEmailListMutation();
  const toast = useToast();
  const name = useWatch({ control: form.control, name: 'name' });
  const submit = form.handleSubmit(async (values) => {
    try {
      const saved = await (
        list
          ? update({ id: list.id, updateEmailListDto: toListChange(values, list) })
          : create({ createEmailListDto: toNewList(values) })
      ).unwrap();
      toast({ title: list ? messages.updated : messages.created, description: saved.name, variant: 'success' });
      onClose();
    } catch (error) {
      const [title, text] = list
        ? [messages.updateFailed, messages.updateFailedText]
        : [messages.createFailed, messages.createFailedText];
      const description = failureText(error, text);
      if (!applyServerErrors(form, error)) form.setError('root.server', { message: `${title}: ${description}` });
      toast({ title, description, variant: 'destructive' });
    }
  });
  const { control } = form;
  return (
    <DialogForm
      onSubmit={(event) => void submit(event)}
      submitLabel={list ? 'Save changes' : 'Create List'}
      {...dialogState(form)}
      disabled={!name.trim()}
    >
      <TextField
        control={control}
        name="name"
        label="Name"
        placeholder="Java vendors, East Coast"
        maxLength={200}
        autoFocus
      />
      <TextField
        control={control}
        name="description"
        label="Description"
        optional
        multiline
        minRows={2}
        maxRows={6}
        maxLength={2000}
      />
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1.5 }}>
        Shown to people who open the list's public page. If left empty, your own agency and name are shown.
      </Typography>
      <TextField control={control} name="ownerName" label="Owner's name" optional maxLength={200} />
      <TextField control={control} name="agencyName" label="Agency name" optional maxLength={200} />
      <TextField
        control={control}
        name="agencyLogo"
        label="Agency logo"
        optional
        type="url"
        placeholder="https://"
        maxLength={2048}
      />
    </DialogForm>
  );
}

/** Schema of a list's form; only the name is required. */
export const listSchema = z.object({
  name: optionalText(200).min(1, texts.listName),
  description: optionalText(2000),
  agencyName: optionalText(200),
  agencyLogo: logoField,
  ownerName: optionalText(200),
});

export type ListValues = z.infer<typeof listSchema>;

/** Initial values of the form: empty for a new list, otherwise those of the list. */
export const listValues = (list?: EmailList): ListValues => ({
  name: list?.name ?? '',
  description: list?.description ?? '',
  agencyName: list?.agencyName ?? '',
  agencyLogo: list?.agencyLogo ?? '',
  ownerName: list?.ownerName ?? '',
});

/** The request for a new list; omits optional fields that were left blank. */
export const toNewList = (values: ListValues): NewEmailList => ({
  name: values.name.trim(),
  description: orAbsent(values.description),
  agencyName: orAbsent(values.agencyName),
  agencyLogo: orAbsent(values.agencyLogo),
  ownerName: orAbsent(values.ownerName),
});

/**
 * The fields that differ from the list; a cleared text is sent as empty. An unchanged name is not sent, because it may
 * be older than the rules for names.
 */
export function toListChange(values: ListValues, list: EmailList): EmailListChange {
  const before = listValues(list);
  const change: EmailListChange = {};
  for (const key of ['name', 'description', 'agencyName', 'agencyLogo', 'ownerName'] as const) {
    const text = values[key].trim();
    if (text !== before[key]) change[key] = text;
  }
  return change;
}
