import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, type DefaultValues, type FieldValues, type Path, type UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';
import { isApiError } from '../../api/api-error';

/** A form checked by a schema: errors appear on leaving a field and on submit, and go as they are mended; focus moves to the first. */
export function useZodForm<Values extends FieldValues>(schema: z.ZodType<Values, Values>, defaultValues: DefaultValues<Values>): UseFormReturn<Values> {
  return useForm<Values>({ resolver: zodResolver(schema), defaultValues, mode: 'onTouched', shouldFocusError: true });
}

/** Puts what the server found wrong with a field under that field; says whether it placed any. */
export function placeFieldFaults<Values extends FieldValues>(form: UseFormReturn<Values>, error: unknown): boolean {
  if (!isApiError(error)) return false;
  const names = form.getValues();
  // 'config.host': a form is flat where the call's body is not.
  const known = error.details.map(({ field, message }) => ({ field: field in names ? field : field.slice(field.lastIndexOf('.') + 1), message })).filter(({ field }) => field in names);
  known.forEach((fault, index) => {
    form.setError(fault.field as Path<Values>, { type: 'server', message: fault.message }, { shouldFocus: index === 0 });
  });
  return known.length > 0;
}
