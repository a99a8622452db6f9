import { encodeWords } from 'nodemailer/lib/mime-funcs';
import { asOneLine } from '../../../shared/text/one-line.js';

/** The name of a person or list for use in a header: one line, without anything that looks like an address. */
export function headerName(name: string): string {
  return asOneLine(name)
    .replace(/[<>"\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * A display name for a header that the library does not write: a quoted string, or encoded words if it is not ASCII
 * (RFC 2047).
 */
export function displayName(name: string): string {
  const plain = headerName(name);
  return /^[\x20-\x7e]*$/.test(plain) ? `"${plain}"` : encodeWords(plain, 'B', 52, true);
}
