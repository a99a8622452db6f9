import { asOneLine } from '../../shared/text/one-line.js';

/** A person's or list's name as it may stand in a header: one line, nothing that looks like an address. */
export function headerName(name: string): string {
  return asOneLine(name).replace(/[<>"\\]/g, '').replace(/\s+/g, ' ').trim();
}

/** A display name for a header we write ourselves: a quoted string, or encoded words where it is not ASCII (RFC 2047). */
export function displayName(name: string): string {
  const plain = headerName(name);
  if (/^[\x20-\x7e]*$/.test(plain)) return `"${plain}"`;
  return chunks(plain, 42).map((chunk) => `=?UTF-8?B?${Buffer.from(chunk).toString('base64')}?=`).join(' ');
}

/** Cuts between characters, never within one, into pieces of at most so many bytes. */
function chunks(text: string, limit: number): string[] {
  if (Buffer.byteLength(text) <= limit) return [text];
  const pieces = [''];
  for (const char of text) {
    const last = pieces.at(-1)!;
    if (Buffer.byteLength(last + char) > limit) pieces.push(char);
    else pieces[pieces.length - 1] = last + char;
  }
  return pieces;
}
