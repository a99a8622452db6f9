import { client } from '../../../api/client';
import { dayOf } from '../../../lib/format';
import { DeleteDialog } from '../../../ui/dialog/delete-dialog';
import { dialogState, FormDialog } from '../../../ui/dialog/dialog-form';
import { useSubmit, useZodForm } from '../../../ui/form/use-form';
import { useToast } from '../../../ui/toast/toast';
import { factsOf, RuleFactsFields, type RuleForm, ruleSchema } from './rule-form';
import { messages, ruleReasons, type DoNotSendRule } from './rules';

interface RuleDialogProps {
  rule: DoNotSendRule;
  onClose: () => void;
}

/** Changes the reason, the note or the last day of a rule. */
export function EditRuleDialog({ rule, onClose }: RuleDialogProps) {
  const form = useZodForm<RuleForm>(ruleSchema, {
    value: rule.value,
    reason: rule.reason,
    note: rule.note ?? '',
    until: rule.until ? dayOf(rule.until) : '',
  });
  const [update] = client.useUpdateDoNotSendMutation();
  const toast = useToast();
  const submit = useSubmit(form, { title: messages.saveFailed, text: messages.tryAgain }, async (values) => {
    const reason = ruleReasons.find((one) => one === values.reason);
    await update({ id: rule.id, updateDoNotSendDto: { reason, ...factsOf(values) } }).unwrap();
    toast({ title: messages.saved, description: rule.value, variant: 'success' });
    onClose();
  });
  return (
    <FormDialog
      title={`Edit ${rule.value}`}
      onSubmit={submit}
      onClose={onClose}
      submitLabel="Save"
      {...dialogState(form)}
    >
      <RuleFactsFields control={form.control} reason={form.watch('reason')} />
    </FormDialog>
  );
}

/** Deletes a rule, after a confirmation that explains the consequence. */
export function DeleteRuleDialog({ rule, onClose }: RuleDialogProps) {
  const [remove] = client.useDeleteDoNotSendMutation();
  const toast = useToast();
  const confirm = async () => {
    await remove({ id: rule.id }).unwrap();
    toast({ title: messages.deleted, description: rule.value, variant: 'success' });
  };
  return (
    <DeleteDialog
      title={`Delete the rule for ${rule.value}?`}
      confirmLabel="Delete rule"
      onDelete={confirm}
      onClose={onClose}
    >
      From the next email on, you send there again to whoever agreed to it.
    </DeleteDialog>
  );
}
