import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId, useState } from 'react';
import { z } from 'zod';
import { errorMessage } from '../../../api/api-error';
import { emailField } from '../../../lib/zod-texts';
import { ChoiceField } from '../../../ui/form/choice-field';
import { TextField } from '../../../ui/form/text-field';
import { placeFieldFaults, useZodForm } from '../../../ui/form/use-form';
import { SubmitButton } from '../../../ui/submit-button';
import { useToast } from '../../../ui/toast';
import { useAddSuppression } from '../api';
import { messages, scopes } from '../messages';

const schema = z.object({ email: emailField, reason: z.string() });
const scopeChoices = [
  { value: 'all', label: scopes.all },
  { value: 'network', label: scopes.network },
] as const;
const causeChoices = [
  { value: 'unsubscribed', label: 'Asked to be left alone' },
  { value: 'complained', label: 'Complained' },
] as const;

/** Keeps an address from being mailed, by every sender or over the network. */
export function AddSuppressionDialog({ onClose }: { onClose: () => void }) {
  const form = useZodForm(schema, { email: '', reason: '' });
  const [scope, setScope] = useState<'all' | 'network'>('all');
  const [cause, setCause] = useState<'unsubscribed' | 'complained'>('unsubscribed');
  const add = useAddSuppression();
  const toast = useToast();
  const id = useId();
  const submit = form.handleSubmit(async ({ email, reason }) => {
    try {
      const added = await add({ email, scope, cause, reason: reason.trim() || undefined });
      toast({ title: messages.suppressed, description: added.email ?? email, variant: 'success' });
      onClose();
    } catch (error) {
      placeFieldFaults(form, error);
      toast({ title: messages.suppressFailed, description: errorMessage(error, messages.tryAgain), variant: 'destructive' });
    }
  });
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>Suppress an address</DialogTitle>
      <Box component="form" noValidate onSubmit={(event) => void submit(event)}>
        <DialogContent sx={{ display: 'grid', gap: 1.5 }}>
          <TextField control={form.control} name="email" label="Email" type="email" autoComplete="off" autoFocus />
          <ChoiceField label="Reach" value={scope} choices={scopeChoices} onChange={setScope} />
          <ChoiceField label="Cause" value={cause} choices={causeChoices} onChange={setCause} />
          <TextField control={form.control} name="reason" label="Reason" optional maxLength={300} helperText="Kept in the activity log with your name." />
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" color="inherit" onClick={onClose}>
            Cancel
          </Button>
          <SubmitButton pending={form.formState.isSubmitting}>Suppress</SubmitButton>
        </DialogActions>
      </Box>
    </Dialog>
  );
}
