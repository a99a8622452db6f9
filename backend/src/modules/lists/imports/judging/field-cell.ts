import { type FieldDefinition, type FieldValue, readFieldValue } from '../../../contacts/index.js';
import { dateValue } from './date-value.js';

const YES: ReadonlySet<string> = new Set(['yes', 'y', 'true', 't', '1', 'x', 'ja', 'oui', 'si', 'on']);
const NO: ReadonlySet<string> = new Set(['no', 'n', 'false', 'f', '0', 'nein', 'non', 'off']);
const NUMBER = /^[$€£]?\s*(-?\d{1,3}(?:,\d{3})+|-?\d+)(\.\d+)?\s*%?$/;
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** Splits a cell that lists several values. */
export const listOf = (cell: string): string[] =>
  cell
    .split(/\s:::\s|[,;|\n]/)
    .map((part) => part.trim())
    .filter(Boolean);

/** The value of a cell for a field. @returns undefined if the cell does not fit the field, null if the cell is empty */
export function fieldCell(
  definition: FieldDefinition,
  cell: string,
  uses1904: boolean | null,
): FieldValue | null | undefined {
  if (cell === '') return null;
  const value = READ[definition.type](cell, definition, uses1904);
  if (value === undefined) return undefined;
  try {
    return readFieldValue(definition, value);
  } catch {
    return undefined;
  }
}

const READ: Record<
  FieldDefinition['type'],
  (cell: string, definition: FieldDefinition, uses1904: boolean | null) => unknown
> = {
  text: (cell) => cell,
  number: (cell) => {
    const [, whole, part = ''] = NUMBER.exec(cell) ?? [];
    return whole === undefined ? undefined : `${whole.replaceAll(',', '')}${part}`;
  },
  date: (cell, _definition, uses1904) => dateValue(cell, uses1904) ?? undefined,
  yes_no: (cell) => (YES.has(cell.toLowerCase()) ? true : NO.has(cell.toLowerCase()) ? false : undefined),
  choice: (cell, { options }) => option(cell, options),
  choices: (cell, { options }) => {
    const whole = option(cell, options);
    const found = whole === undefined ? listOf(cell).map((part) => option(part, options)) : [whole];
    return found.includes(undefined) ? undefined : found;
  },
  // Exports often omit the scheme, or have http although the site has long used https.
  url: (cell) =>
    /^http:\/\//i.test(cell) ? `https://${cell.slice(7)}` : HAS_SCHEME.test(cell) ? cell : `https://${cell}`,
};

const option = (cell: string, options: readonly string[]): string | undefined =>
  options.find((one) => one === cell) ?? options.find((one) => one.toLowerCase() === cell.toLowerCase());
