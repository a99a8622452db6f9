import { useController, type FieldValues } from 'react-hook-form';
import { RadioCards, type CardChoice } from '../ui/form/radio-cards';
import type { FieldBinding } from '../ui/form/text-field';
import { IconJob, IconUsers } from '../ui/icons';
import { roleLabel, type Role } from '../lib/roles';

const choices: readonly CardChoice<Role>[] = [
  { value: 'recruiter', label: roleLabel('recruiter'), text: 'I send job posts', icon: IconJob },
  { value: 'bench-sales', label: roleLabel('bench-sales'), text: 'I send candidate lists', icon: IconUsers },
];

/** The choice of a role, as a field of a form. */
export function RoleField<Values extends FieldValues>({
  control,
  name,
}: Pick<FieldBinding<Values, Role | ''>, 'control' | 'name'>) {
  const { field, fieldState } = useController({ control, name });
  return (
    <RadioCards
      legend="What do you do?"
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
