import type { CustomField } from './api';

/**
 * Columns that the page of contacts can show beside the name, in this order; the account's own fields follow. The
 * server accepts the same names: `PROFILE_COLUMNS`.
 */
export const columnLabels = {
  company: 'Company',
  jobTitle: 'Title',
  lists: 'Lists',
  tags: 'Tags',
  consent: 'Consent',
  lastMailedAt: 'Last mailed',
  createdAt: 'Added',
  phone: 'Phone',
  city: 'City',
  region: 'Region',
  country: 'Country',
  timeZone: 'Time zone',
} as const;

/** The name of the column that shows a custom field. */
export const columnField = (key: string): string => `field.${key}`;

/** All columns that can be chosen, with their labels. */
export const columnChoices = (fields: readonly CustomField[]): { column: string; label: string }[] => [
  ...Object.entries(columnLabels).map(([column, label]) => ({ column, label })),
  ...fields.map(({ key, label }) => ({ column: columnField(key), label })),
];
