import { MAX_COLUMNS } from './first-line-width.js';
import { parseAddress } from '../../shared/mail/address.js';

/** What a record of the file says of a contact. */
export interface ImportedContact {
  email: string;
  name: string | null;
  attributes: Record<string, string> | null;
}

export type ReadCells = (cells: string[]) => ImportedContact;

/** Headers in small letters and digits. Of several columns that fit, the pattern further up wins, then the column further left. */
const EMAIL = [
  /^(e?mail|e?mailaddress|e?mailid|(primary|work|business|contact|personal)e?mail(address)?)$/,
  // Numbered as Google ("E-mail 1 - Value") and Outlook ("E-mail 2 Address") export them; their labels and types hold no address.
  /^e?mail(address)?1(value|address)?$/, /^e?mail(address)?[2-9](value|address)?$/,
  /^address$/,
];
const NOT_AN_ADDRESS = /(label|type|displayname|status|optin|optout|date|time|count|id)$/;
const NAME = /^(name|fullname|contactname|displayname|contact|person)$/;
const FIRST = /^(first|firstname|givenname|forename)$/;
const LAST = /^(last|lastname|surname|familyname)$/;
const MAX_NAME = 200;
const MAX_ATTRIBUTES = 50;
const MAX_VALUE = 1000;

const plain = (header: string): string => header.toLowerCase().replace(/[^a-z0-9]/g, '');
/** Text that PostgreSQL and a mail header can hold. */
const clean = (text: string | undefined, max: number): string => (text ?? '').replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').replace(/\p{Cs}/gu, '').trim().slice(0, max);

/** Without a header: `email` or `email, name`. */
export const readLine: ReadCells = ([email = '', ...name]) => ({ email: clean(email, 500), name: clean(name.filter(Boolean).join(', '), MAX_NAME) || null, attributes: null });

/** How to read a file's records by its header row; null where the first row is no header. */
export function readerOf(row: readonly string[]): ReadCells | null {
  // Wider files are refused when they come in; a header row behind one that was cut is not.
  const header = row.slice(0, MAX_COLUMNS);
  if (header.some((cell) => parseAddress(cell) !== null)) return null;
  const keys = header.map(plain);
  const find = (pattern: RegExp) => keys.findIndex((key) => pattern.test(key));
  const email = EMAIL.map(find).find((column) => column >= 0) ?? keys.findIndex((key) => key.includes('mail') && !NOT_AN_ADDRESS.test(key));
  if (email < 0) return null;
  const [name, first, last] = [find(NAME), find(FIRST), find(LAST)];
  const used = new Set([email, ...(name >= 0 ? [name] : [first, last])]);
  const others = header.map((cell, column) => ({ column, label: clean(cell, 100) })).filter(({ column, label }) => !used.has(column) && label).slice(0, MAX_ATTRIBUTES);
  return (cells) => {
    const full = name >= 0 ? clean(cells[name], MAX_NAME) : clean([first, last].map((column) => cells[column] ?? '').join(' '), MAX_NAME);
    const attributes = Object.fromEntries(others.flatMap(({ column, label }) => (cells[column] ? [[label, clean(cells[column], MAX_VALUE)]] : [])));
    // Google puts several addresses of one label into one cell.
    return { email: clean(cells[email]?.split(' ::: ', 1)[0], 500), name: full || null, attributes: Object.keys(attributes).length > 0 ? attributes : null };
  };
}
