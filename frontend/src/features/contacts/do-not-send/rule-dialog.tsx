import { dialogState, FormDialog } from '../../../ui/dialog/dialog-form';
import { SelectField } from '../../../ui/form/text-field';
import { useSubmit, useZodForm } from '../../../ui/form/use-form';
import { BroadRuleDialog } from './broad-rule-dialog';
import { factsOf, RuleFactsFields, type RuleForm, ruleSchema } from './rule-form';
import { messages } from './rules';
import { useAddRule } from './use-add-rule';

interface RuleDialogProps {
  title: string;
  /** Values to choose from: an address, and the company it belongs to. */
  values: readonly string[];
  onClose: () => void;
}

/** Adds a rule for a known address or company. Only an address can belong to somebody who asked to stop. */
export function RuleDialog({ title, values, onClose }: RuleDialogProps) {
  const form = useZodForm<RuleForm>(ruleSchema, { value: values[0] ?? '', reason: 'end_client', note: '', until: '' });
  const rule = useAddRule(onClose);
  const submit = useSubmit(form, { title: messages.addFailed, text: messages.tryAgain }, (given) =>
    rule.add({ value: given.value, reason: given.reason, ...factsOf(given) }),
  );
  const value = form.watch('value');
  return (
    <>
      <FormDialog
        title={title}
        onSubmit={submit}
        onClose={onClose}
        submitLabel="Do not send"
        destructive
        {...dialogState(form)}
      >
        {values.length > 1 && (
          <SelectField
            control={form.control}
            name="value"
            label="Never send to"
            choices={values.map((one) => ({ value: one, label: one.includes('@') ? one : `Everyone at ${one}` }))}
          />
        )}
        <RuleFactsFields control={form.control} reason={form.watch('reason')} withStop={value.includes('@')} />
      </FormDialog>
      <BroadRuleDialog rule={rule} />
    </>
  );
}
