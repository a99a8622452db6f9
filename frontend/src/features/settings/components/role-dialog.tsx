import Dialog from '@mui/material/Dialog';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { z } from 'zod';
import { roleLabel, roles, type Role } from '../../../lib/roles';
import { texts } from '../../../lib/zod-texts';
import { DialogForm } from '../../../ui/form/dialog-form';
import { RadioCardsField } from '../../../ui/form/radio-cards-field';
import { useZodForm } from '../../../ui/form/use-form';
import { useSubmit } from '../../../ui/form/use-submit';
import { IconJob, IconUsers } from '../../../ui/icons';
import { useToast } from '../../../ui/toast';
import { useChangeRole, useCurrentUser } from '../api';
import { messages } from '../messages';
import { markRoleSelected } from '../role-flag';

const schema = z.object({ role: z.enum(roles, texts.role) });

const choices = [
  { value: roles[0], label: roleLabel(roles[0]), text: 'I send job posts', icon: IconJob },
  { value: roles[1], label: roleLabel(roles[1]), text: 'I send candidate lists', icon: IconUsers },
] as const;

/** Which side of the desk the person works on. Saving or closing it, it is not asked again on this browser. */
export function RoleDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const id = useId();
  const user = useCurrentUser();
  const close = () => {
    markRoleSelected(user.id);
    onClose();
  };
  return (
    <Dialog open={open} onClose={close} maxWidth="sm" fullWidth aria-labelledby={`${id}-title`} aria-describedby={`${id}-text`}>
      <DialogTitle id={`${id}-title`}>{messages.welcome}</DialogTitle>
      <RoleForm role={user.role ?? roles[0]} textId={`${id}-text`} onDone={close} />
    </Dialog>
  );
}

function RoleForm({ role, textId, onDone }: { role: Role; textId: string; onDone: () => void }) {
  const form = useZodForm(schema, { role });
  const change = useChangeRole();
  const toast = useToast();
  const submit = useSubmit(form, { title: messages.updateFailed, text: messages.tryAgain }, async (values) => {
    await change(values.role);
    onDone();
    toast({ title: messages.updated, description: `Your role is ${roleLabel(values.role)}.`, variant: 'success' });
  });
  return (
    <DialogForm onSubmit={submit} onClose={onDone} closeLabel="Not now" submitLabel="Save role" pending={form.formState.isSubmitting}>
      <DialogContentText id={textId} sx={{ mb: 1.25 }}>
        Recruiters send job posts, bench sales send candidate lists. You can change this at any time in Settings.
      </DialogContentText>
      <RadioCardsField control={form.control} name="role" label="What do you do?" choices={choices} />
    </DialogForm>
  );
}
