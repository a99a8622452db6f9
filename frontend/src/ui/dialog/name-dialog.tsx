import { z } from 'zod';
import { errorMessage } from '../../api/api-error';
import { dialogState, FormDialog } from './dialog-form';
import { TextField } from '../form/text-field';
import { applyServerErrors, useZodForm } from '../form/use-form';

const schema = z.object({ name: z.string().trim().min(1, 'Please enter a name').max(100, 'At most 100 characters') });

interface NameDialogProps {
  title: string;
  submitLabel: string;
  name: string;
  /** Saves the name. An error that it throws is shown in the dialog, which then stays open. */
  onSubmit: (name: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for a name. */
export function NameDialog({ title, submitLabel, name, onSubmit, onClose }: NameDialogProps) {
  const form = useZodForm(schema, { name });
  const submit = form.handleSubmit(async (values) => {
    try {
      await onSubmit(values.name);
      onClose();
    } catch (error) {
      if (!applyServerErrors(form, error))
        form.setError('root.server', { message: errorMessage(error, 'Please try again.') });
    }
  });
  return (
    <FormDialog
      title={title}
      submitLabel={submitLabel}
      onClose={onClose}
      onSubmit={(event) => {
        // The dialog may be inside a form of the screen, which must not be submitted too.
        event.stopPropagation();
        void submit(event);
      }}
      {...dialogState(form)}
    >
      <TextField control={form.control} name="name" label="Name" maxLength={100} autoFocus />
    </FormDialog>
  );
}
