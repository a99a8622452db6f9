import addressparser from 'nodemailer/lib/addressparser';

/** An entry of a recipient line, as it is in the text. */
export interface NamedAddress {
  address: string;
  name: string;
}

/** Longer entries are not parsed. */
const MAX_ENTRY_LENGTH = 10_000;
/** `Name <address>` with nothing after it. */
const ONE_IN_BRACKETS = /^([^<>]*)<([^<>]*)>$/;
const ONE_WORD = /^[^\s<>"'(),;:\\]+$/;

/**
 * The people of a recipient line. In Outlook's form, semicolons separate entries and commas belong to names; any other
 * line is an address list as in mail headers, which Gmail copies. A group is replaced by its members. An entry that is
 * no address has an empty address. Yields one entry at a time, because a line may be as long as the whole pasted text.
 */
export function* recipientsOf(line: string): Generator<NamedAddress> {
  for (const piece of splitUnquoted(line, ';')) {
    const text = piece.trim().replace(/^,/, '').trim();
    if (text === '') continue;
    const single = text.length <= MAX_ENTRY_LENGTH ? ONE_IN_BRACKETS.exec(withoutGroup(text)) : null;
    if (single) yield bracketed(single);
    else yield* addressList(text);
  }
}

/**
 * Parses an address list (RFC 5322). By that standard an unquoted `Last, First <address>` is two entries; they are
 * joined again. The library parses one entry at a time, because its time for a list grows with the square of the
 * length.
 */
function* addressList(text: string): Generator<NamedAddress> {
  let surname = '';
  for (const piece of splitUnquoted(text, ','))
    for (const { name, address } of entriesOf(piece)) {
      if (address !== '' && name !== '' && surname !== '') yield { name: `${surname}, ${name}`, address };
      else {
        if (surname !== '') yield { name: surname, address: '' };
        if (address !== '') yield { name, address };
      }
      surname = address === '' ? name : '';
    }
  if (surname !== '') yield { name: surname, address: '' };
}

function entriesOf(piece: string): NamedAddress[] {
  const trimmed = piece.trim();
  if (trimmed.length > MAX_ENTRY_LENGTH) return [{ name: trimmed, address: '' }];
  const text = withoutGroup(trimmed);
  if (text === '') return [];
  if (ONE_WORD.test(text)) return [text.includes('@') ? { name: '', address: text } : { name: text, address: '' }];
  const single = ONE_IN_BRACKETS.exec(text);
  if (single) return [bracketed(single)];
  return addressparser(text, { flatten: true })
    .map(({ name = '', address = '' }) => ({ name, address }))
    .filter(({ name, address }) => name !== '' || address !== '');
}

const bracketed = ([, name = '', address = '']: RegExpExecArray): NamedAddress => ({
  name: unquoted(name.trim()),
  address: address.trim(),
});

/** Removes the name of a group in front of an entry: `Vendors: Ann <a@x>`. */
function withoutGroup(text: string): string {
  const [, name = '', rest = ''] = /^([^<>"@:,]*):([^:]*<[^<>]*>)$/.exec(text) ?? [];
  return name !== '' && rest !== '' && !/mailto$/i.test(name.trim()) ? rest.trim() : text;
}

function unquoted(name: string): string {
  return name.length > 1 && name.startsWith('"') && name.endsWith('"')
    ? name.slice(1, -1).replace(/\\(.)/g, '$1').trim()
    : name;
}

/** Splits at a separator outside double quotes. A quote that is never closed is text. Leaves out empty parts. */
function* splitUnquoted(text: string, separator: string): Generator<string> {
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      if (end < 0) break;
      at = end;
    } else if (text[at] === separator) {
      if (at > start) yield text.slice(start, at);
      start = at + 1;
    }
  }
  const rest = text.slice(start);
  if (rest.includes('"')) yield* splitOpen(rest, separator);
  else yield rest;
}

/** Splits a text with an unclosed quote, ignoring its quotes. A text whose quotes pair up stays whole. */
function splitOpen(rest: string, separator: string): string[] {
  return (rest.split('"').length - 1) % 2 === 0 ? [rest] : rest.split(separator);
}

function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return -1;
}
