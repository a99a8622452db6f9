/** An address and, if the cell has one, the name in front of the address. */
export interface AddressCell {
  address: string;
  name: string;
}

const IN_BRACKETS = /^([^<>]*)<([^<>]*)>[\s,;]*$/;
/** Separators of several values in one cell; Google's export uses ` ::: `. */
const SEVERAL = /\s:::\s|[;,]\s*|\s\|\s/;

/**
 * Reads an address cell. It may read `Name <address>` or `mailto:address?subject=…`, or hold several addresses; then
 * the first one counts.
 */
export function readAddressCell(cell: string): AddressCell {
  const text = cell.trim();
  const bracketed = IN_BRACKETS.exec(text.split(/\s:::\s/, 1)[0]!.trim());
  if (bracketed) return { address: withoutScheme(bracketed[2]!), name: unquoted(bracketed[1]!.trim()) };
  const bare = withoutScheme(text);
  if (!SEVERAL.test(bare)) return { address: bare, name: '' };
  const parts = bare.split(SEVERAL).filter(Boolean);
  // Splits only if every part is an address: with a comma inside another text, the whole cell is no address.
  return parts.every((part) => part.includes('@')) ? readFirst(parts) : { address: bare, name: '' };
}

const readFirst = ([first = '']: readonly string[]): AddressCell => {
  const bracketed = IN_BRACKETS.exec(first.trim());
  return bracketed
    ? { address: withoutScheme(bracketed[2]!), name: unquoted(bracketed[1]!.trim()) }
    : { address: withoutScheme(first), name: '' };
};

function withoutScheme(text: string): string {
  const trimmed = text.trim();
  return /^mailto:/i.test(trimmed) ? trimmed.slice('mailto:'.length).split('?', 1)[0]!.trim() : trimmed;
}

const unquoted = (name: string): string =>
  name.length > 1 && /^(".*"|'.*')$/s.test(name) ? name.slice(1, -1).replace(/\\(.)/g, '$1').trim() : name;
