import Alert from '@mui/material/Alert';
import { useState } from 'react';
import { z } from 'zod';
import { emailField } from '../../../lib/zod-texts';
import { dialogState, FormDialog } from '../../../ui/form/dialog-form';
import { TextField } from '../../../ui/form/text-field';
import { useZodForm } from '../../../ui/form/use-form';
import { useSubmit } from '../../../ui/form/use-submit';
import { useCurrentUser, useTestProvider, type Provider } from '../api';
import { messages } from '../messages';

const schema = z.object({ to: emailField });

/** Sends one mail by a mail account and shows what its server said. */
export function TestMailDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const { email } = useCurrentUser();
  const form = useZodForm(schema, { to: email });
  const [answer, setAnswer] = useState<{ ok: boolean; answer: string } | null>(null);
  const test = useTestProvider();
  const submit = useSubmit(form, { title: messages.testRefused, text: messages.tryAgain }, async ({ to }) => {
    setAnswer(null);
    setAnswer(await test(provider.id, to));
  });
  return (
    <FormDialog title={`Test mail by "${provider.name}"`} onSubmit={submit} onClose={onClose} closeLabel="Close" submitLabel="Send" {...dialogState(form)}>
      <TextField control={form.control} name="to" label="Send to" type="email" autoComplete="off" autoFocus fullWidth />
      {answer && (
        <Alert severity={answer.ok ? 'success' : 'error'} sx={{ overflowWrap: 'anywhere' }}>
          <strong>{answer.ok ? messages.testSent : messages.testRefused}</strong>
          <br />
          {answer.answer}
        </Alert>
      )}
    </FormDialog>
  );
}
