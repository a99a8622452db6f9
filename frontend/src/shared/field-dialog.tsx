import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { client } from '../api/client';
import { dialogState, FormDialog } from '../ui/dialog/dialog-form';
import { SelectField, TextField } from '../ui/form/text-field';
import { useSubmit, useZodForm } from '../ui/form/use-form';

export const typeLabels = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  yes_no: 'Yes or no',
  choice: 'One of several',
  choices: 'Some of several',
  url: 'Web address',
} as const;
type FieldType = keyof typeof typeLabels;

const types = Object.keys(typeLabels) as FieldType[];
const schema = z
  .object({
    label: z.string().trim().min(1, 'Please enter a label').max(100, 'At most 100 characters'),
    type: z.string(),
    options: z.string(),
  })
  .refine(({ type, options }) => !hasOptions(type) || optionsOf(options).length > 0, {
    path: ['options'],
    message: 'Please enter at least one choice',
  });
const hasOptions = (type: string) => type === 'choice' || type === 'choices';
const optionsOf = (text: string) => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
];

interface FieldDialogProps {
  /** Initial label. */
  label?: string;
  onClose: () => void;
  onAdded?: (field: { key: string }) => void;
}

/** Adds a field. Its type cannot be changed later. */
export function FieldDialog({ label = '', onClose, onAdded }: FieldDialogProps) {
  const form = useZodForm(schema, { label, type: 'text', options: '' });
  const [add] = client.useAddContactFieldMutation();
  const type = useWatch({ control: form.control, name: 'type' });
  const submit = useSubmit(
    form,
    { title: 'Field not added', text: 'Please try again', fields: { field_exists: 'label' } },
    async (values) => {
      const field = await add({
        createContactFieldDto: {
          label: values.label,
          type: types.find((known) => known === values.type) ?? 'text',
          ...(hasOptions(values.type) && { options: optionsOf(values.options) }),
        },
      }).unwrap();
      onAdded?.(field);
      onClose();
    },
  );
  return (
    <FormDialog title="Add field" onSubmit={submit} onClose={onClose} submitLabel="Add field" {...dialogState(form)}>
      <TextField control={form.control} name="label" label="Label" maxLength={100} autoComplete="off" autoFocus />
      <SelectField
        control={form.control}
        name="type"
        label="Type"
        choices={types.map((value) => ({ value, label: typeLabels[value] }))}
      />
      {hasOptions(type) && (
        <TextField
          control={form.control}
          name="options"
          label="Choices"
          multiline
          minRows={3}
          maxRows={10}
          helperText="One a line"
        />
      )}
    </FormDialog>
  );
}
