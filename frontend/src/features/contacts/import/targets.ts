import type { CustomField } from '../api';
import type { ImportColumn } from './api';

type Target = ImportColumn['target'];

/** Targets that every account has, in the order of the select. */
const BUILT_IN: readonly { value: Target; label: string }[] = [
  { value: 'email', label: 'Email' },
  { value: 'name', label: 'Full name' },
  { value: 'firstName', label: 'First name' },
  { value: 'lastName', label: 'Last name' },
  { value: 'company', label: 'Company' },
  { value: 'jobTitle', label: 'Job title' },
  { value: 'phone', label: 'Phone' },
  { value: 'city', label: 'City' },
  { value: 'region', label: 'Region' },
  { value: 'country', label: 'Country' },
  { value: 'timeZone', label: 'Time zone' },
  { value: 'skills', label: 'Skills' },
  { value: 'tags', label: 'Tags' },
  { value: 'note', label: 'Note' },
];

export const NEW_FIELD = 'new';

export const fieldTarget = (key: string): Target => `field.${key}`;

/** The possible targets of a column. A deleted field stays in the select while it is the column's target. */
export function targetChoices(fields: readonly CustomField[], current: Target): { value: Target; label: string }[] {
  const choices = [...BUILT_IN, ...fields.map(({ key, label }) => ({ value: fieldTarget(key), label }))];
  const isKnown = current === 'ignore' || choices.some(({ value }) => value === current);
  return [
    ...choices,
    ...(isKnown ? [] : [{ value: current, label: `${current.replace(/^field\./, '')} (deleted)` }]),
    { value: NEW_FIELD, label: 'New field…' },
    { value: 'ignore', label: 'Do not import' },
  ];
}

/** The targets after one column has changed: another column with the same target loses it. */
export const withTarget = (targets: readonly Target[], column: number, target: Target): Target[] =>
  targets.map((present, index) =>
    index === column ? target : present === target && target !== 'ignore' ? 'ignore' : present,
  );
