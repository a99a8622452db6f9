import DialogContentText from '@mui/material/DialogContentText';
import { useId } from 'react';
import { z } from 'zod';
import { roleLabel, roles, type Role } from '../../../lib/roles';
import { texts } from '../../../lib/zod-texts';
import { GuardedDialog } from '../../../ui/dialog/guarded-dialog';
import { dialogState, DialogForm } from '../../../ui/form/dialog-form';
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
export function RoleDialog({ open, title, onClose }: { open: boolean; title: string; onClose: () => void }) {
  const id = useId();
  const user = useCurrentUser();
  const close = () => {
    markRoleSelected(user.id);
    onClose();
  };
  return (
    <GuardedDialog open={open} onClose={close} maxWidth="sm" title={title} describedBy={id}>
      <RoleForm role={user.role ?? roles[0]} textId={id} onDone={close} />
    </GuardedDialog>
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
    <DialogForm onSubmit={submit} closeLabel="Not now" submitLabel="Save role" {...dialogState(form)} isDirty={false}>
      <DialogContentText id={textId} sx={{ mb: 1.25 }}>
        Recruiters send job posts, bench sales send candidate lists. You can change this at any time in Settings.
      </DialogContentText>
      <RadioCardsField control={form.control} name="role" label="What do you do?" choices={choices} />
    </DialogForm>
  );
}
