import Alert from '@mui/material/Alert';
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
import { TextField } from '../../../ui/form/text-field';
import { placeFieldFaults, useZodForm } from '../../../ui/form/use-form';
import { SubmitButton } from '../../../ui/submit-button';
import { useToast } from '../../../ui/toast';
import { useCurrentUser, useTestProvider, type Provider } from '../api';
import { messages } from '../messages';

const schema = z.object({ to: emailField });

/** Sends one mail by a mail account and shows what its server said. */
export function TestMailDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const { email } = useCurrentUser();
  const form = useZodForm(schema, { to: email });
  const [answer, setAnswer] = useState<{ ok: boolean; answer: string } | null>(null);
  const test = useTestProvider();
  const toast = useToast();
  const id = useId();
  const submit = form.handleSubmit(async ({ to }) => {
    setAnswer(null);
    try {
      setAnswer(await test(provider.id, to));
    } catch (error) {
      placeFieldFaults(form, error);
      toast({ title: messages.testRefused, description: errorMessage(error, messages.tryAgain), variant: 'destructive' });
    }
  });
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>{`Test mail by "${provider.name}"`}</DialogTitle>
      <Box component="form" noValidate onSubmit={(event) => void submit(event)}>
        <DialogContent>
          <TextField control={form.control} name="to" label="Send to" type="email" autoComplete="off" autoFocus fullWidth />
          {answer && (
            <Alert severity={answer.ok ? 'success' : 'error'} sx={{ overflowWrap: 'anywhere' }}>
              <strong>{answer.ok ? messages.testSent : messages.testRefused}</strong>
              <br />
              {answer.answer}
            </Alert>
          )}
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" color="inherit" onClick={onClose}>
            Close
          </Button>
          <SubmitButton pending={form.formState.isSubmitting}>Send</SubmitButton>
        </DialogActions>
      </Box>
    </Dialog>
  );
}
