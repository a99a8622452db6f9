import { useState } from 'react';
import { errorMessage } from '../../../api/api-error';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog';
import { messages } from './rules';
import type { useAddRule } from './use-add-rule';

/** Asks before a rule that covers very many contacts is added. */
export function BroadRuleDialog({ rule }: { rule: ReturnType<typeof useAddRule> }) {
  const [failure, setFailure] = useState<string>();
  const { broad } = rule;
  if (!broad) return null;
  const confirm = () => rule.confirm().catch((error: unknown) => setFailure(errorMessage(error, messages.tryAgain)));
  return (
    <ConfirmDialog
      open
      title={`Never send to ${broad.body.value}?`}
      confirmLabel="Add rule"
      destructive
      pending={rule.isLoading}
      error={failure}
      onConfirm={() => void confirm()}
      onCancel={rule.dismiss}
    >
      {broad.text}
    </ConfirmDialog>
  );
}
