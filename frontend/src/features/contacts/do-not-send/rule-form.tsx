import Alert from '@mui/material/Alert';
import type { Control } from 'react-hook-form';
import { z } from 'zod';
import { dayNow } from '../../../lib/format';
import { optionalText } from '../../../lib/zod-texts';
import { FieldGrid, SelectField, TextField } from '../../../ui/form/text-field';
import { MAX_NOTE_LENGTH, messages, reasonChoices, ruleReasonChoices, STOP_HINT, type DoNotSendReason } from './rules';

/** The values of a rule's form. */
export const ruleSchema = z.object({
  value: z.string().trim().min(1, messages.value).max(2_048, messages.value),
  reason: z.enum(reasonChoices.map(({ value }) => value) as [DoNotSendReason, ...DoNotSendReason[]]),
  note: optionalText(MAX_NOTE_LENGTH),
  until: z.string(),
});
export type RuleForm = z.infer<typeof ruleSchema>;

/** Converts reason, note and last day to the fields of the request. */
export const factsOf = ({ reason, note, until }: RuleForm) => ({
  note: note || null,
  until: reason === 'asked_to_stop' ? null : until || null,
});

interface RuleFactsFieldsProps {
  control: Control<RuleForm>;
  reason: DoNotSendReason;
  /** Whether 'They asked me to stop' can be chosen. */
  withStop?: boolean;
}

/** Fields for reason, note and last day. 'They asked me to stop' has no last day, and its consequence is shown. */
export function RuleFactsFields({ control, reason, withStop }: RuleFactsFieldsProps) {
  const isStop = reason === 'asked_to_stop';
  return (
    <>
      <FieldGrid>
        <SelectField
          control={control}
          name="reason"
          label="Reason"
          choices={withStop ? reasonChoices : ruleReasonChoices}
        />
        {!isStop && (
          <TextField
            control={control}
            name="until"
            label="Until"
            optional
            type="date"
            helperText="The last day; empty: for good"
            slotProps={{ inputLabel: { shrink: true }, htmlInput: { min: dayNow(), max: '2099-12-31' } }}
          />
        )}
      </FieldGrid>
      <TextField control={control} name="note" label="Note" optional autoComplete="off" maxLength={MAX_NOTE_LENGTH} />
      {isStop && (
        <Alert severity="info" sx={{ mb: 1 }}>
          {STOP_HINT}
        </Alert>
      )}
    </>
  );
}
