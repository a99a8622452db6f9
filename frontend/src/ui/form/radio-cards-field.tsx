import { useController, type FieldValues } from 'react-hook-form';
import { RadioCards, type CardChoice } from './radio-cards';
import type { Bound } from './text-field';

interface RadioCardsFieldProps<Values extends FieldValues, Value extends string> extends Bound<Values, Value | ''> {
  choices: readonly CardChoice<Value>[];
}

/** Radio cards of a form. */
export function RadioCardsField<Values extends FieldValues, Value extends string>({ control, name, label, choices }: RadioCardsFieldProps<Values, Value>) {
  const { field, fieldState } = useController({ control, name });
  return (
    <RadioCards
      legend={label}
      name={field.name}
      choices={choices}
      value={field.value}
      onChange={field.onChange}
      onBlur={field.onBlur}
      inputRef={field.ref}
      error={fieldState.error?.message ?? ' '}
    />
  );
}
