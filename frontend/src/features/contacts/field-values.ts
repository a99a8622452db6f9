import type { ContactField } from './api';

/** The most characters that can be typed for a field of a type. */
export const MOST_CHARACTERS: Partial<Record<ContactField['type'], number>> = { text: 1000, url: 2048, number: 17 };

/** A stored value as it is typed; '' for none. */
export function fieldText(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** What was typed as the server stores it; null for nothing. */
export function fieldValue(type: ContactField['type'], text: string): string | number | boolean | string[] | null {
  if (text.trim() === '') return null;
  switch (type) {
    case 'yes_no':
      return text === 'true';
    case 'choices':
      return partsOf(text);
    case 'number':
      return numberOf(text);
    default:
      return text.trim();
  }
}

/** The choices of a select for the field; undefined where a value is typed. */
export function fieldChoices({ type, options }: Pick<ContactField, 'type' | 'options'>) {
  const none = { value: '', label: 'Not set' };
  if (type === 'yes_no') return [none, { value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }];
  return type === 'choice' ? [none, ...options.map((option) => ({ value: option, label: option }))] : undefined;
}

/** Says how several choices are typed. */
export const fieldHint = ({ type, options }: Pick<ContactField, 'type' | 'options'>) =>
  type === 'choices' ? `Separated by commas, of ${options.join(', ')}` : undefined;

function partsOf(text: string): string[] | null {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  return parts.length > 0 ? [...new Set(parts)] : null;
}

/** A number as typed. A text that is none goes to the server as it is, whose refusal says so. */
function numberOf(text: string): number | string {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}
