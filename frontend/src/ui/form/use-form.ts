import { zodResolver } from '@hookform/resolvers/zod';
import type { BaseSyntheticEvent } from 'react';
import { useForm, type DefaultValues, type FieldValues, type Path, type UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';
import { errorMessage, isApiError } from '../../api/api-error';
import { useToast } from '../toast/toast';

/**
 * A form validated by a schema. Errors appear when a field is left and on submit, and disappear when they are
 * corrected; the first invalid field gets the focus.
 * @param stored the current record, if it is refreshed while the form is open: fields that the user has not changed
 * follow it
 */
export function useZodForm<Values extends FieldValues>(
  schema: z.ZodType<Values, Values>,
  defaultValues: DefaultValues<Values>,
  stored?: NoInfer<Values>,
): UseFormReturn<Values> {
  return useForm<Values>({
    resolver: zodResolver(schema),
    defaultValues,
    ...(stored && { values: stored, resetOptions: { keepDirtyValues: true } }),
    mode: 'onTouched',
    shouldFocusError: true,
  });
}

/** Shows the server's errors under their fields. @returns whether any belonged to a field of the form */
export function applyServerErrors<Values extends FieldValues>(form: UseFormReturn<Values>, error: unknown): boolean {
  if (!isApiError(error)) return false;
  const names = form.getValues();
  // The request may be nested while the form is flat: 'config.host' is the field 'host'.
  const known = error.details
    .map(({ field, message }) => ({ field: field in names ? field : field.slice(field.lastIndexOf('.') + 1), message }))
    .filter(({ field }) => field in names);
  known.forEach((item, index) => {
    form.setError(item.field as Path<Values>, { type: 'server', message: item.message }, { shouldFocus: index === 0 });
  });
  return known.length > 0;
}

/** The toast of a failed submit. `text` is used when the server sends no text. */
interface SubmitFailure<Values extends FieldValues> {
  title: string;
  text: string;
  /** Error codes that belong to one field. */
  fields?: Record<string, Path<Values>>;
}

/**
 * The submit handler of a form. Field errors of the server are shown under their fields, any other error as
 * `root.server`, and a toast reports the failure.
 */
export function useSubmit<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  failure: SubmitFailure<Values>,
  run: (values: Values) => Promise<unknown>,
) {
  const toast = useToast();
  const submit = form.handleSubmit(async (values) => {
    try {
      await run(values);
    } catch (error) {
      const field = isApiError(error) && failure.fields?.[error.code];
      if (field)
        form.setError(field, { type: 'server', message: errorMessage(error, failure.text) }, { shouldFocus: true });
      else if (!applyServerErrors(form, error))
        form.setError('root.server', { message: `${failure.title}: ${errorMessage(error, failure.text)}` });
      toast({ title: failure.title, description: errorMessage(error, failure.text), variant: 'destructive' });
    }
  });
  return (event: BaseSyntheticEvent) => void submit(event);
}
