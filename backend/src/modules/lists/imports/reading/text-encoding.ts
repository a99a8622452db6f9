import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import type { RandomAccessPieces, TextEncoding } from './record-source.js';
import { streamOf } from './pieces.js';

/** Characters of Windows-1252 for the bytes 0x80 to 0x9F, which are control characters in ISO 8859-1. */
const HIGH =
  '\u20AC\uFFFD\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\uFFFD\u017D\uFFFD\uFFFD\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\uFFFD\u017E\u0178';

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** The UTF-16 encoding that a file's byte order mark names. @returns null without such a mark */
export function markedEncoding(head: Uint8Array): 'utf16le' | 'utf16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf16be' : null;
}

/**
 * Detects the encoding: UTF-16 if the file begins with its byte order mark, UTF-8 if all bytes are valid UTF-8, else
 * Windows-1252, which old spreadsheets write. Reads the whole file unless it begins with a mark.
 */
export async function encodingOfFile(file: RandomAccessPieces): Promise<TextEncoding> {
  const marked = markedEncoding(await file.read(0, 2));
  if (marked) return marked;
  let rest = Buffer.alloc(0);
  for await (const piece of streamOf(file)) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : Buffer.from(piece);
    const whole = bytes.length - openSequence(bytes);
    if (!isUtf8(bytes.subarray(0, whole))) return 'windows1252';
    rest = bytes.subarray(whole);
  }
  return rest.length === 0 ? 'utf8' : 'windows1252';
}

/** Number of bytes at the end that begin a UTF-8 sequence without completing it. */
function openSequence(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

/**
 * Offset at which the text of a Windows-1252 file starts: after a UTF-8 byte order mark, which damaged or joined files
 * may have, else 0. The Unicode decoders drop their byte order marks themselves.
 */
export async function textStart(file: RandomAccessPieces, encoding: TextEncoding): Promise<number> {
  if (encoding !== 'windows1252') return 0;
  return UTF8_MARK.equals(await file.read(0, UTF8_MARK.length)) ? UTF8_MARK.length : 0;
}

/** Decodes a stream of bytes piece by piece, without its byte order mark. */
export async function* decoded(
  pieces: AsyncIterable<Uint8Array>,
  encoding: TextEncoding,
): AsyncGenerator<string, void, void> {
  if (encoding === 'windows1252') {
    for await (const piece of pieces) yield windows1252(piece);
    return;
  }
  const decoder = unicodeDecoder(encoding);
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

/** Decoder for a stream of bytes; drops the byte order mark. */
export const unicodeDecoder = (encoding: Exclude<TextEncoding, 'windows1252'>): TextDecoder =>
  new TextDecoder(encoding === 'utf8' ? 'utf-8' : encoding === 'utf16le' ? 'utf-16le' : 'utf-16be');

// TextDecoder decodes this encoding as ISO 8859-1 in some versions of Node, so it is not used here.
const windows1252 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (char) => HIGH[char.charCodeAt(0) - 0x80]!);
