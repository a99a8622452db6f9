import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { client } from '../../../api/client';
import { SubmitButton } from '../../../ui/form/submit-button';
import { TextField } from '../../../ui/form/text-field';
import { useSubmit, useZodForm } from '../../../ui/form/use-form';
import { BroadRuleDialog } from './broad-rule-dialog';
import { factsOf, RuleFactsFields, type RuleForm, ruleSchema } from './rule-form';
import { messages } from './rules';
import { useAddRule } from './use-add-rule';

const empty: RuleForm = { value: '', reason: 'end_client', note: '', until: '' };

/** The form that adds one rule, above the list. */
export function AddRule() {
  const form = useZodForm<RuleForm>(ruleSchema, empty);
  const rule = useAddRule(() => form.reset(empty));
  const submit = useSubmit(
    form,
    { title: messages.addFailed, text: messages.tryAgain, fields: { rule_exists: 'value' } },
    (values) => rule.add({ value: values.value, reason: values.reason, ...factsOf(values) }),
  );
  const failure = form.formState.errors.root?.server?.message;
  return (
    <Paper variant="outlined" component="section" aria-label="Add a rule" sx={{ p: 2, mb: 2 }}>
      <Stack component="form" onSubmit={submit} noValidate sx={{ gap: 1.25 }}>
        <TextField
          control={form.control}
          name="value"
          label="Address or domain"
          placeholder="client.example or someone@client.example"
          autoComplete="off"
          fullWidth
          helperText="A domain stands for everyone there, and at everything below it."
          slotProps={{ htmlInput: { autoCapitalize: 'none', spellCheck: false } }}
        />
        <RuleFactsFields control={form.control} reason={form.watch('reason')} withStop />
        {failure && (
          <Alert severity="error" sx={{ mb: 1 }}>
            {failure}
          </Alert>
        )}
        <SubmitButton pending={form.formState.isSubmitting} sx={{ alignSelf: 'start' }}>
          Add
        </SubmitButton>
      </Stack>
      <BroadRuleDialog rule={rule} />
    </Paper>
  );
}

/** Suggests the rule that most accounts want first: their own agency. */
export function OwnAgencySuggestion() {
  const { data } = client.useGetDoNotSendSuggestionQuery();
  const rule = useAddRule(() => undefined);
  if (!data?.value) return null;
  const { value } = data;
  return (
    <Stack sx={{ alignItems: 'center', gap: 1 }}>
      <Typography color="textSecondary">Never send to your own agency?</Typography>
      <Button
        variant="outlined"
        disabled={rule.isLoading}
        onClick={() => void rule.add({ value, reason: 'own_agency' }).catch(() => undefined)}
      >
        Add {value}
      </Button>
      <BroadRuleDialog rule={rule} />
    </Stack>
  );
}
