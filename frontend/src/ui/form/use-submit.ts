import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import type { BaseSyntheticEvent } from 'react';
import { errorMessage, isApiError } from '../../api/api-error';
import { useToast } from '../toast';
import { placeFieldFaults } from './use-form';

/** What is said when a form's call fails: `text` where the server gives no words of its own. */
interface SubmitFailure<Values extends FieldValues> {
  title: string;
  text: string;
  /** Refusals, by their code, that are about one field. */
  fields?: Record<string, Path<Values>>;
}

/** Submits a form: what the server found wrong with a field stands under that field, any other refusal is the error `root.server`, and a toast says that the call failed. */
export function useSubmit<Values extends FieldValues>(form: UseFormReturn<Values>, failure: SubmitFailure<Values>, run: (values: Values) => Promise<unknown>) {
  const toast = useToast();
  const submit = form.handleSubmit(async (values) => {
    try {
      await run(values);
    } catch (error) {
      const field = isApiError(error) && failure.fields?.[error.code];
      if (field) form.setError(field, { type: 'server', message: errorMessage(error, failure.text) }, { shouldFocus: true });
      else if (!placeFieldFaults(form, error)) form.setError('root.server', { message: `${failure.title}: ${errorMessage(error, failure.text)}` });
      toast({ title: failure.title, description: errorMessage(error, failure.text), variant: 'destructive' });
    }
  });
  return (event: BaseSyntheticEvent) => void submit(event);
}
