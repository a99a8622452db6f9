import { useState } from 'react';
import { z } from 'zod';
import { client } from '../../../api/client';
import { emailField, optionalText, orAbsent } from '../../../lib/zod-texts';
import { dialogState, FormDialog } from '../../../ui/dialog/dialog-form';
import { FilterSelect } from '../../../ui/form/filter-select';
import { TextField } from '../../../ui/form/text-field';
import { useSubmit, useZodForm } from '../../../ui/form/use-form';
import { useToast } from '../../../ui/toast/toast';
import { messages, scopes } from '../messages';
import { reasonField } from '../reason-field';

const schema = z.object({ email: emailField, reason: optionalText(300) });
const scopeChoices = [
  { value: 'all', label: scopes.all },
  { value: 'network', label: scopes.network },
] as const;
const causeChoices = [
  { value: 'unsubscribed', label: 'Asked to be left alone' },
  { value: 'complained', label: 'Complained' },
] as const;

/** Suppresses an address for all mail or for the network. */
export function AddSuppressionDialog({ onClose }: { onClose: () => void }) {
  const form = useZodForm(schema, { email: '', reason: '' });
  const [scope, setScope] = useState<'all' | 'network'>('all');
  const [cause, setCause] = useState<'unsubscribed' | 'complained'>('unsubscribed');
  const [add] = client.useAddSuppressionMutation();
  const toast = useToast();
  const submit = useSubmit(
    form,
    { title: messages.suppressFailed, text: messages.tryAgain },
    async ({ email, reason }) => {
      const added = await add({ addSuppressionDto: { email, scope, cause, reason: orAbsent(reason) } }).unwrap();
      toast({ title: messages.suppressed, description: added.email ?? email, variant: 'success' });
      onClose();
    },
  );
  return (
    <FormDialog
      title="Suppress an address"
      onSubmit={submit}
      onClose={onClose}
      submitLabel="Suppress"
      {...dialogState(form)}
    >
      <TextField control={form.control} name="email" label="Email" type="email" autoComplete="off" autoFocus />
      <FilterSelect label="Scope" value={scope} choices={scopeChoices} onChange={setScope} />
      <FilterSelect label="Cause" value={cause} choices={causeChoices} onChange={setCause} />
      <TextField control={form.control} {...reasonField} />
    </FormDialog>
  );
}
