import type { CustomField } from './api';

/** Maximum length of a value in characters, by the type of its field. */
export const MAX_LENGTHS: Partial<Record<CustomField['type'], number>> = { text: 1000, url: 2048, number: 17 };

/** A stored value as text for the input; '' if there is none. */
export function fieldText(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** The typed text as a value for the server; null for an empty text. */
export function fieldValue(type: CustomField['type'], text: string): string | number | boolean | string[] | null {
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

/**
 * Options of a select for the field.
 * @returns undefined if the value is typed instead of chosen
 */
export function fieldChoices({ type, options }: Pick<CustomField, 'type' | 'options'>) {
  const none = { value: '', label: 'Not set' };
  if (type === 'yes_no') return [none, { value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }];
  return type === 'choice' ? [none, ...options.map((option) => ({ value: option, label: option }))] : undefined;
}

/** Hint on how to type several options. */
export const fieldHint = ({ type, options }: Pick<CustomField, 'type' | 'options'>) =>
  type === 'choices' ? `Separated by commas, of ${options.join(', ')}` : undefined;

function partsOf(text: string): string[] | null {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  return parts.length > 0 ? [...new Set(parts)] : null;
}

/**
 * The typed number. Text that is not a number is sent to the server as it is, so that the server's refusal is shown.
 */
function numberOf(text: string): number | string {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}
