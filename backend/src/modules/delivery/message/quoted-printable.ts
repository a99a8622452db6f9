/** Maximum length of a line including its soft line break (RFC 2045 §6.7). */
const LINE = 76;
/**
 * Upper bound for the growth of a text: three bytes per byte, and a soft line break at least every 64 bytes, because an
 * encoded character has at most 12 bytes and is never split.
 */
const MAX_GROWTH = 3 * (1 + 3 / 64);
const [TAB, LF, CR, SPACE, DOT, EQUALS, TILDE] = [0x09, 0x0a, 0x0d, 0x20, 0x2e, 0x3d, 0x7e];
const HEX = Buffer.from('0123456789ABCDEF', 'latin1');

/**
 * Encodes text as UTF-8 in quoted-printable with CRLF line breaks. No line starts with a dot, so SMTP need not double
 * it. No line exceeds 76 characters, even with a soft line break after the last one. Works in one pass over the bytes,
 * because the library's functions block the event loop for a quarter of a second on a long non-Latin text.
 */
export function quotedPrintable(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  const out = Buffer.allocUnsafe(Math.ceil(bytes.length * MAX_GROWTH) + LINE);
  let at = 0;
  let column = 0;
  const reserve = (length: number): void => {
    if (column + length >= LINE) {
      at = softBreak(out, at);
      column = 0;
    }
    column += length;
  };
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i]!;
    if (byte === LF || (byte === CR && bytes[i + 1] === LF)) {
      if (byte === CR) i += 1;
      out[at++] = CR;
      out[at++] = LF;
      column = 0;
    } else if (isLiteral(byte) || (isBlank(byte) && !endsLine(bytes, i + 1))) {
      reserve(1);
      if (byte === DOT && column === 1) {
        column = 3;
        at = escape(out, at, byte);
      } else {
        out[at++] = byte;
      }
    } else {
      const length = lengthOf(byte);
      reserve(length * 3);
      for (const end = i + length; i < end; i += 1) at = escape(out, at, bytes[i]!);
      i -= 1;
    }
  }
  return out.toString('latin1', 0, at);
}

/**
 * Encodes a value, which is placed on its own lines. Escapes "--", because lenient mail readers take a line that starts
 * with it for a MIME boundary. During encoding, NUL represents each of these dashes; NULs of the value itself are
 * removed.
 */
export const quotedValue = (text: string): string =>
  text.includes('--')
    ? quotedPrintable(text.replaceAll('\0', '').replaceAll('--', '\0\0')).replaceAll('=00', '=2D')
    : quotedPrintable(text);

const isBlank = (byte: number): boolean => byte === SPACE || byte === TAB;
const isLiteral = (byte: number): boolean => byte > SPACE && byte <= TILDE && byte !== EQUALS;
/** Length in bytes of a UTF-8 character, by its first byte. */
const lengthOf = (byte: number): number => (byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4);

function endsLine(bytes: Buffer, at: number): boolean {
  return at === bytes.length || bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] === LF);
}

function escape(out: Buffer, at: number, byte: number): number {
  out[at] = EQUALS;
  out[at + 1] = HEX[byte >> 4]!;
  out[at + 2] = HEX[byte & 15]!;
  return at + 3;
}

function softBreak(out: Buffer, at: number): number {
  out[at] = EQUALS;
  out[at + 1] = CR;
  out[at + 2] = LF;
  return at + 3;
}
