import type { UnreadKind } from './refusals.js';
import { markedEncoding } from './text-encoding.js';

/** First bytes of files, from which their format is recognised. */
const ZIP = [0x50, 0x4b];
const OLE = [0xd0, 0xcf, 0x11, 0xe0];
const OTHERS = [
  [0x25, 0x50, 0x44, 0x46], // PDF
  [0x89, 0x50, 0x4e, 0x47], // PNG
  [0x47, 0x49, 0x46, 0x38], // GIF
  [0xff, 0xd8, 0xff], // JPEG
  [0x1f, 0x8b], // gzip
  [0x37, 0x7a, 0xbc, 0xaf], // 7z
  [0x52, 0x61, 0x72, 0x21], // RAR
  [0x7b, 0x5c, 0x72, 0x74, 0x66], // RTF
  [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], // SQLite
];
/** Beginning of web pages and XML files, which some exports name .xls. */
const MARKUP = /^\s*<(!doctype|html|\?xml|table|meta)/i;
/** Share of control characters above which a file is not a text. */
const MAX_CONTROL_SHARE = 0.1;

/** Kind of a file by its first bytes, because its name may be wrong. */
export function fileKindOf(head: Uint8Array): 'zip' | 'text' | UnreadKind {
  const begins = (bytes: readonly number[]) => bytes.every((byte, at) => head[at] === byte);
  if (begins(ZIP) && (head[2] ?? 0) < 9) return 'zip';
  if (begins(OLE)) return 'old_excel';
  if (OTHERS.some(begins)) return 'binary';
  if (markedEncoding(head)) return 'text';
  if (MARKUP.test(Buffer.from(head.subarray(0, 200)).toString('latin1').replace(/^ï»¿/, ''))) return 'binary';
  const controls = head.reduce((sum, byte) => sum + (byte < 9 || (byte > 13 && byte < 32 && byte !== 27) ? 1 : 0), 0);
  return controls > head.length * MAX_CONTROL_SHARE ? 'binary' : 'text';
}
