import {
  CONTACT_LIMITS,
  type FieldDefinition,
  type FieldValue,
  phoneE164,
  PROFILE_LENGTHS,
} from '../../../contacts/index.js';
import { asOneLine } from '../../../../shared/text/one-line.js';
import { cleanName, partsOf } from '../../contacts/name-parts.js';
import { countryCode } from './country-code.js';
import { fieldCell, listOf } from './field-cell.js';
import { type ColumnTarget, fieldKeyOf } from './targets.js';
import { zoneName } from './zone-name.js';

/** A row's data about the person, besides the address. */
export interface RowValues {
  name: string | null;
  firstName: string | null;
  lastName: string | null;
  company: string | null;
  jobTitle: string | null;
  /** The phone number as typed. */
  phone: string | null;
  phoneE164: string | null;
  city: string | null;
  region: string | null;
  /** ISO 3166-1 alpha-2 code. */
  country: string | null;
  /** IANA name. */
  timeZone: string | null;
  skills: string[];
  tags: string[];
  note: string | null;
  fields: Record<string, FieldValue>;
}

/** Groups that Google puts every contact into. */
const NO_TAGS: ReadonlySet<string> = new Set(['mycontacts', 'starred', 'other contacts']);

/** Targets of the columns, prepared for reading rows. */
export interface ValuePlan {
  targets: readonly ColumnTarget[];
  fields: ReadonlyMap<string, FieldDefinition>;
  /** Whether serial numbers of dates count from 1904; null if numbers are never dates. */
  uses1904: boolean | null;
  /** ISO code of the country of phone numbers that have no country prefix. */
  phoneCountry: string | undefined;
  /** Whether whole names stay as they are written. */
  keepsNames: boolean;
}

/**
 * Reads the values of a row. A value that does not fit its column is left out.
 * @param addressName name in the address cell; a name column takes precedence
 * @returns the values, and the columns whose values did not fit
 */
export function rowValues(
  cells: readonly string[],
  plan: ValuePlan,
  addressName: string,
): { values: RowValues; misfits: number[] } {
  const misfits: number[] = [];
  const texts = new Map<ColumnTarget, string>();
  const fields = new Map<string, FieldValue>();
  const [skills, tags]: [string[], string[]] = [[], []];
  plan.targets.forEach((target, column) => {
    const cell = cells[column] ?? '';
    if (cell === '' || target === 'ignore' || target === 'email') return;
    const fits = (): boolean => {
      const key = fieldKeyOf(target);
      if (key !== undefined) return takeField(plan, key, cell, fields);
      if (target === 'skills') return takeList(listOf(cell), skills);
      if (target === 'tags') return takeList(tagsOf(cell), tags);
      return takeText(target, cell, texts);
    };
    if (!fits()) misfits.push(column);
  });
  const text = (target: ColumnTarget): string | null => texts.get(target) || null;
  const [first, last] = [text('firstName') ?? '', text('lastName') ?? ''];
  const whole =
    text('name') ?? (first || last ? `${first} ${last}`.trim() : asOneLine(addressName).slice(0, PROFILE_LENGTHS.name));
  const country = text('country');
  const phone = text('phone');
  return {
    misfits,
    values: {
      name: plan.keepsNames ? whole || null : cleanName(whole),
      ...partsOf(whole, first, last),
      company: text('company'),
      jobTitle: text('jobTitle'),
      phone,
      phoneE164: phoneE164(phone, country ?? plan.phoneCountry),
      city: text('city'),
      region: text('region'),
      country,
      timeZone: text('timeZone'),
      skills,
      tags,
      note: text('note'),
      fields: Object.fromEntries(fields),
    },
  };
}

function takeField(plan: ValuePlan, key: string, cell: string, fields: Map<string, FieldValue>): boolean {
  const definition = plan.fields.get(key);
  const value = definition && fieldCell(definition, definition.type === 'text' ? cell : asOneLine(cell), plan.uses1904);
  if (value !== undefined && value !== null) fields.set(key, value);
  return value !== undefined;
}

function takeList(found: readonly string[], into: string[]): boolean {
  const one = [...new Set(found.map(asOneLine).filter(Boolean))];
  into.push(...one.filter((part) => part.length <= CONTACT_LIMITS.tagName).slice(0, CONTACT_LIMITS.tagsPerContact));
  return one.every((part) => part.length <= CONTACT_LIMITS.tagName) && one.length <= CONTACT_LIMITS.tagsPerContact;
}

/** Tags in a cell, without Google's system groups, which Google's export marks with a star. */
const tagsOf = (cell: string): string[] =>
  listOf(cell)
    .map((tag) => tag.replace(/^\*\s+/, ''))
    .filter((tag) => !NO_TAGS.has(tag.toLowerCase()));

function takeText(target: ColumnTarget, cell: string, texts: Map<ColumnTarget, string>): boolean {
  const text = target === 'note' ? noteText(cell) : asOneLine(cell);
  const read =
    target === 'country' ? countryCode(text) : target === 'timeZone' ? zoneName(text) : lengthFits(target, text);
  if (read !== null) texts.set(target, read);
  return read !== null;
}

function lengthFits(target: ColumnTarget, text: string): string | null {
  const longest =
    target === 'note' ? CONTACT_LIMITS.note : (PROFILE_LENGTHS[target as keyof typeof PROFILE_LENGTHS] ?? 0);
  return text.length <= longest ? text : null;
}

/** Text of a note. It may have several lines; other control characters and direction marks are removed. */
const noteText = (cell: string): string =>
  cell
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => asOneLine(line))
    .join('\n')
    .trim();
