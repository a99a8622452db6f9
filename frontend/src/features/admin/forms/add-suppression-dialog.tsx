import { useState } from 'react';
import { z } from 'zod';
import { emailField, optionalText } from '../../../lib/zod-texts';
import { ChoiceField } from '../../../ui/form/choice-field';
import { dialogState, FormDialog } from '../../../ui/form/dialog-form';
import { TextField } from '../../../ui/form/text-field';
import { useZodForm } from '../../../ui/form/use-form';
import { useSubmit } from '../../../ui/form/use-submit';
import { useToast } from '../../../ui/toast';
import { useAddSuppression } from '../api';
import { messages, scopes } from '../messages';

const schema = z.object({ email: emailField, reason: optionalText(300) });
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
  const submit = useSubmit(form, { title: messages.suppressFailed, text: messages.tryAgain }, async ({ email, reason }) => {
    const added = await add({ email, scope, cause, reason: reason.trim() || undefined });
    toast({ title: messages.suppressed, description: added.email ?? email, variant: 'success' });
    onClose();
  });
  return (
    <FormDialog title="Suppress an address" onSubmit={submit} onClose={onClose} submitLabel="Suppress" {...dialogState(form)}>
      <TextField control={form.control} name="email" label="Email" type="email" autoComplete="off" autoFocus />
      <ChoiceField label="Reach" value={scope} choices={scopeChoices} onChange={setScope} />
      <ChoiceField label="Cause" value={cause} choices={causeChoices} onChange={setCause} />
      <TextField control={form.control} name="reason" label="Reason" optional maxLength={300} helperText="Kept in the activity log with your name." />
    </FormDialog>
  );
}
