import { z } from 'zod';
import { client } from '../../../api/client';
import { optionalText } from '../../../lib/zod-texts';
import { dialogState, FormDialog } from '../../../ui/dialog/dialog-form';
import { FieldGrid, SelectField, TextField } from '../../../ui/form/text-field';
import { useSubmit, useZodForm } from '../../../ui/form/use-form';
import { useToast } from '../../../ui/toast/toast';
import { kindChoices, kinds, MAX_COMPANY_CAP, messages, type Company, type CompanyKind } from './companies';

const schema = z.object({
  name: optionalText(200),
  kind: z.enum(['', ...kinds]),
  maxPerSend: z
    .string()
    .trim()
    .refine(
      (text) => text === '' || (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_COMPANY_CAP),
      messages.cap,
    ),
  note: optionalText(500),
});

/** Changes name, kind, cap or note of a company. */
export function CompanyDialog({ company, onClose }: { company: Company; onClose: () => void }) {
  const form = useZodForm(schema, {
    name: company.name ?? '',
    kind: company.kind ?? '',
    maxPerSend: company.maxPerSend === null ? '' : String(company.maxPerSend),
    note: company.note ?? '',
  });
  const [update] = client.useUpdateCompanyMutation();
  const toast = useToast();
  const submit = useSubmit(form, { title: messages.saveFailed, text: messages.tryAgain }, async (values) => {
    await update({
      domain: company.domain,
      updateCompanyDto: {
        ...(values.name !== (company.name ?? '') && { name: values.name || null }),
        kind: (values.kind || null) as CompanyKind | null,
        maxPerSend: values.maxPerSend === '' ? null : Number(values.maxPerSend),
        note: values.note || null,
      },
    }).unwrap();
    toast({ title: messages.saved, description: company.domain, variant: 'success' });
    onClose();
  });
  const { control } = form;
  return (
    <FormDialog
      title={`Edit ${company.domain}`}
      onSubmit={submit}
      onClose={onClose}
      submitLabel="Save"
      {...dialogState(form)}
    >
      <TextField control={control} name="name" label="Name" optional autoComplete="off" maxLength={200} autoFocus />
      <FieldGrid>
        <SelectField
          control={control}
          name="kind"
          label="Kind"
          choices={[{ value: '', label: 'Not said' }, ...kindChoices]}
          slotProps={{ inputLabel: { shrink: true } }}
        />
        <TextField
          control={control}
          name="maxPerSend"
          label="At most per send"
          optional
          autoComplete="off"
          helperText="People there that one send reaches"
          slotProps={{ htmlInput: { inputMode: 'numeric' } }}
        />
      </FieldGrid>
      <TextField control={control} name="note" label="Note" optional autoComplete="off" maxLength={500} />
    </FormDialog>
  );
}
