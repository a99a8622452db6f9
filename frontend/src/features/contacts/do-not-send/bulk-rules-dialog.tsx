import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState, type ChangeEvent } from 'react';
import { z } from 'zod';
import { client } from '../../../api/client';
import type { BulkDoNotSendResultDto } from '../../../api/endpoints.gen';
import { plural } from '../../../lib/format';
import { dialogState, FormDialog } from '../../../ui/dialog/dialog-form';
import { SelectField, TextField } from '../../../ui/form/text-field';
import { useSubmit, useZodForm } from '../../../ui/form/use-form';
import { IconUpload } from '../../../ui/icons';
import { messages, reasonChoices, STOP_HINT, type DoNotSendReason } from './rules';

const MAX_TEXT_LENGTH = 1_000_000;
const schema = z.object({
  text: z
    .string()
    .trim()
    .min(1, 'Enter at least one address or domain')
    .max(MAX_TEXT_LENGTH, 'At most 1,000,000 characters'),
  reason: z.enum(reasonChoices.map(({ value }) => value) as [DoNotSendReason, ...DoNotSendReason[]]),
});

/** Adds many rules from pasted lines or a CSV file, and shows the lines that were refused. */
export function BulkRulesDialog({ onClose }: { onClose: () => void }) {
  const form = useZodForm<z.infer<typeof schema>>(schema, { text: '', reason: 'other' });
  const [add] = client.useAddManyDoNotSendMutation();
  const [result, setResult] = useState<BulkDoNotSendResultDto>();
  const submit = useSubmit(form, { title: messages.addFailed, text: messages.tryAgain }, async (body) => {
    if (result) {
      onClose();
      return;
    }
    setResult(await add({ bulkDoNotSendDto: body }).unwrap());
    form.reset(body);
  });
  return (
    <FormDialog
      title="Add many"
      maxWidth="sm"
      onSubmit={submit}
      onClose={onClose}
      submitLabel={result ? 'Done' : 'Add'}
      isOver={result !== undefined}
      {...dialogState(form)}
    >
      {result ? (
        <Result result={result} />
      ) : (
        <>
          <TextField
            control={form.control}
            name="text"
            label="Addresses and domains"
            multiline
            minRows={6}
            maxRows={14}
            autoFocus
            placeholder={'client.example, End client\nsomeone@other.example'}
            helperText="One a line; after a comma its reason, a note and a last day."
            slotProps={{ htmlInput: { autoCapitalize: 'none', spellCheck: false } }}
          />
          <FileButton onText={(text) => form.setValue('text', text, { shouldDirty: true, shouldValidate: true })} />
          <SelectField control={form.control} name="reason" label="Reason of the others" choices={reasonChoices} />
          {form.watch('reason') === 'asked_to_stop' && <Alert severity="info">{STOP_HINT}</Alert>}
        </>
      )}
    </FormDialog>
  );
}

function FileButton({ onText }: { onText: (text: string) => void }) {
  const [error, setError] = useState<string>();
  const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    target.value = '';
    if (!file) return;
    const isTooLarge = file.size > MAX_TEXT_LENGTH;
    setError(isTooLarge ? 'The file can have at most 1 MB.' : undefined);
    if (!isTooLarge) onText(await file.text());
  };
  return (
    <Box sx={{ mb: 1 }}>
      <Button
        component="label"
        size="small"
        variant="outlined"
        color="inherit"
        startIcon={<IconUpload size={15} aria-hidden />}
      >
        Choose a CSV file
        <input type="file" accept=".csv,.txt,.tsv,text/csv,text/plain" hidden onChange={(event) => void read(event)} />
      </Button>
      {error && (
        <Typography role="alert" color="error" variant="caption" sx={{ ml: 1 }}>
          {error}
        </Typography>
      )}
    </Box>
  );
}

function Result({ result: { added, withdrawn, refused } }: { result: BulkDoNotSendResultDto }) {
  return (
    <Box role="status">
      <Typography>
        {plural(added, 'rule')} added.
        {withdrawn > 0 && ` ${plural(withdrawn, 'person', 'people')} left all your lists.`}
      </Typography>
      {refused.length > 0 && (
        <>
          <Typography sx={{ mt: 1.5, fontWeight: 560 }}>{plural(refused.length, 'line')} not taken:</Typography>
          <Box component="ul" sx={{ pl: 2.5, my: 0.5, overflowWrap: 'anywhere' }}>
            {refused.map(({ line, value, reason }) => (
              <li key={line}>
                Line {line}: {value || 'empty'} ({reason})
              </li>
            ))}
          </Box>
        </>
      )}
    </Box>
  );
}
