import { z } from 'zod';
import { logoField, optionalText, orAbsent, texts } from '../../../lib/zod-texts';
import type { EmailList, EmailListChange, NewEmailList } from '../api';

/** What a list's form asks for; only the name is required. */
export const listSchema = z.object({
  name: optionalText(200).min(1, texts.listName),
  description: optionalText(2000),
  agencyName: optionalText(200),
  agencyLogo: logoField,
  ownerName: optionalText(200),
});

export type ListValues = z.infer<typeof listSchema>;

/** The form's start: empty, or the list as it is. */
export const listValues = (list?: EmailList): ListValues => ({
  name: list?.name ?? '',
  description: list?.description ?? '',
  agencyName: list?.agencyName ?? '',
  agencyLogo: list?.agencyLogo ?? '',
  ownerName: list?.ownerName ?? '',
});

/** Optional texts that are empty are absent. */
export const toNewList = (values: ListValues): NewEmailList => ({
  name: values.name.trim(),
  description: orAbsent(values.description),
  agencyName: orAbsent(values.agencyName),
  agencyLogo: orAbsent(values.agencyLogo),
  ownerName: orAbsent(values.ownerName),
});

/** The name, and what differs from the list as it was; a cleared text goes as empty. */
export function toListChange(values: ListValues, list: EmailList): EmailListChange {
  const before = listValues(list);
  const change: EmailListChange = { name: values.name.trim() };
  for (const key of ['description', 'agencyName', 'agencyLogo', 'ownerName'] as const) {
    const text = values[key].trim();
    if (text !== before[key]) change[key] = text;
  }
  return change;
}
