import DialogContentText from '@mui/material/DialogContentText';
import { useId } from 'react';
import { z } from 'zod';
import { client } from '../../api/client';
import { useCurrentUser } from '../../api/session';
import { texts } from '../../lib/zod-texts';
import { RoleField } from '../../shared/role-field';
import { roleLabel, roles, type Role } from '../../lib/roles';
import { DialogForm, dialogState } from '../../ui/dialog/dialog-form';
import { GuardedDialog } from '../../ui/dialog/guarded-dialog';
import { useSubmit, useZodForm } from '../../ui/form/use-form';
import { useToast } from '../../ui/toast/toast';
import { messages } from './messages';
import { markRoleSelected } from './role-answered';

const schema = z.object({ role: z.enum(roles, texts.role) });

export interface RoleDialogProps {
  open: boolean;
  title: string;
  onClose: () => void;
}

/** Asks for the role. After saving or closing, RoleWelcome does not ask again in this browser. */
export default function RoleDialog({ open, title, onClose }: RoleDialogProps) {
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
  const [change] = client.useChangeRoleMutation();
  const toast = useToast();
  const submit = useSubmit(form, { title: messages.updateFailed, text: messages.tryAgain }, async (values) => {
    await change({ changeRoleDto: { role: values.role } }).unwrap();
    onDone();
    toast({ title: messages.updated, description: `Your role is ${roleLabel(values.role)}.`, variant: 'success' });
  });
  return (
    <DialogForm onSubmit={submit} closeLabel="Not now" submitLabel="Save role" {...dialogState(form)} isDirty={false}>
      <DialogContentText id={textId} sx={{ mb: 1.25 }}>
        Recruiters send job posts, bench sales send candidate lists. You can change this at any time in Settings.
      </DialogContentText>
      <RoleField control={form.control} name="role" />
    </DialogForm>
  );
}
