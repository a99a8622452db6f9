import Alert from '@mui/material/Alert';
import { useState } from 'react';
import { z } from 'zod';
import { client } from '../../../api/client';
import { useCurrentUser } from '../../../api/session';
import { emailField } from '../../../lib/zod-texts';
import { dialogState, FormDialog } from '../../../ui/dialog/dialog-form';
import { TextField } from '../../../ui/form/text-field';
import { useSubmit, useZodForm } from '../../../ui/form/use-form';
import type { MailAccount } from '../api';
import { messages } from '../messages';

const schema = z.object({ to: emailField });

/** Sends one test mail through a mail account and shows the server's reply. */
export function TestMailDialog({ account, onClose }: { account: MailAccount; onClose: () => void }) {
  const { email } = useCurrentUser();
  const form = useZodForm(schema, { to: email });
  const [answer, setAnswer] = useState<{ ok: boolean; answer: string } | null>(null);
  const [test] = client.useTestProviderMutation();
  const submit = useSubmit(form, { title: messages.testRefused, text: messages.tryAgain }, async ({ to }) => {
    setAnswer(null);
    setAnswer(await test({ id: account.id, testProviderDto: { to } }).unwrap());
  });
  return (
    <FormDialog
      title={`Test mail by "${account.name}"`}
      onSubmit={submit}
      onClose={onClose}
      closeLabel="Close"
      submitLabel="Send"
      {...dialogState(form)}
    >
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
