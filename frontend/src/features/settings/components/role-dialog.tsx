import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { z } from 'zod';
import { errorMessage } from '../../../api/api-error';
import { roleLabel, roles, type Role } from '../../../lib/roles';
import { texts } from '../../../lib/zod-texts';
import { RadioCardsField } from '../../../ui/form/radio-cards-field';
import { placeFieldFaults, useZodForm } from '../../../ui/form/use-form';
import { IconJob, IconUsers } from '../../../ui/icons';
import { SubmitButton } from '../../../ui/submit-button';
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
  const submit = form.handleSubmit(async (values) => {
    try {
      await change(values.role);
      onDone();
      toast({ title: messages.updated, description: `Your role is ${roleLabel(values.role)}.`, variant: 'success' });
    } catch (error) {
      placeFieldFaults(form, error);
      toast({ title: messages.updateFailed, description: errorMessage(error, messages.tryAgain), variant: 'destructive' });
    }
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogContent>
        <DialogContentText id={textId} sx={{ mb: 2.5 }}>
          Recruiters send job posts, bench sales send candidate lists. You can change this at any time in Settings.
        </DialogContentText>
        <RadioCardsField control={form.control} name="role" label="What do you do?" choices={choices} />
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" color="inherit" onClick={onDone} disabled={form.formState.isSubmitting}>
          Not now
        </Button>
        <SubmitButton pending={form.formState.isSubmitting}>Save role</SubmitButton>
      </DialogActions>
    </form>
  );
}
