import type { FieldDefinition } from '../../../contacts/index.js';

/** Possible targets of a column; columns with `ignore` are not imported. */
export const BUILT_IN_TARGETS = [
  'email',
  'name',
  'firstName',
  'lastName',
  'company',
  'jobTitle',
  'phone',
  'city',
  'region',
  'country',
  'timeZone',
  'skills',
  'tags',
  'note',
  'ignore',
] as const;
export type BuiltInTarget = (typeof BUILT_IN_TARGETS)[number];
/** A built-in target, or `field.<key>` for a custom field of the account. */
export type ColumnTarget = BuiltInTarget | `field.${string}`;

const BUILT_IN: ReadonlySet<string> = new Set(BUILT_IN_TARGETS);

export const isBuiltIn = (target: string): target is BuiltInTarget => BUILT_IN.has(target);
export const fieldTarget = (key: string): ColumnTarget => `field.${key}`;
/** Key of the custom field that a target names. @returns undefined for a built-in target */
export const fieldKeyOf = (target: string): string | undefined =>
  target.startsWith('field.') ? target.slice('field.'.length) : undefined;

export const NO_EMAIL_COLUMN = 'No column looks like an email address. Choose it.';

/**
 * Describes what is wrong with a mapping, as text for the user.
 * @returns null if rows can be judged with the mapping
 */
export function mappingFault(
  targets: readonly string[],
  fields: readonly Pick<FieldDefinition, 'key'>[],
): string | null {
  const keys = new Set(fields.map(({ key }) => key));
  const used = new Set<string>();
  for (const target of targets) {
    const key = fieldKeyOf(target);
    if (key === undefined ? !isBuiltIn(target) : !keys.has(key)) return `There is no field "${target.slice(0, 60)}"`;
    if (target !== 'ignore' && used.has(target)) return 'Two columns go to the same field. Choose one of them.';
    used.add(target);
  }
  return used.has('email') ? null : NO_EMAIL_COLUMN;
}
