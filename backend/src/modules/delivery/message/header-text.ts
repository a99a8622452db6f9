import { encodeWords } from 'nodemailer/lib/mime-funcs';
import { asOneLine } from '../../../shared/text/one-line.js';

/** A person's or list's name as header text: one line that contains nothing like an address. */
export function headerName(name: string): string {
  return asOneLine(name)
    .replace(/[<>"\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A display name for a header that is written without the composer: a quoted string, or encoded words where it is not ASCII (RFC 2047). */
export function displayName(name: string): string {
  const plain = headerName(name);
  return /^[\x20-\x7e]*$/.test(plain) ? `"${plain}"` : encodeWords(plain, 'B', 52, true);
}
