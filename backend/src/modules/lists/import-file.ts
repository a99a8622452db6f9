import { setImmediate as nextTask } from 'node:timers/promises';
import { delimiterOf, importRecords, type ImportRecord } from './import-lines.js';

export type FileEncoding = 'utf8' | 'utf16le';

/** Where a record begins: all that is needed to go on reading there, in this process or another. */
export interface FilePosition {
  /** In bytes. */
  offset: number;
  /** Physical lines before it. */
  line: number;
  encoding: FileEncoding;
  delimiter: string;
}

export interface PlacedRecord extends ImportRecord {
  position: FilePosition;
}

/** A physical line, and the byte that it begins at. */
export interface FileLine {
  text: string;
  start: number;
}

/** A line longer than this is cut into several: what has no line ends is no list of addresses. */
const MAX_LINE_BYTES = 1024 * 1024;
const KEPT_BYTES = 256 * 1024;
/** Parsing holds the event loop at most this long, in milliseconds. */
const BUSY_MS = 10;
const [LF, CR] = [10, 13];
const MARK = '\uFEFF';

/** The records of a file from a position on, or from its beginning; `pieces` must begin at that position's offset. */
export async function* recordsFrom(pieces: AsyncIterable<Uint8Array>, from: FilePosition | null): AsyncGenerator<PlacedRecord> {
  const before = from?.line ?? 0;
  let { encoding, delimiter } = from ?? { encoding: 'utf8' as FileEncoding, delimiter: undefined };
  const starts = new Map<number, number>();
  const texts = async function* (): AsyncGenerator<string> {
    let line = 0;
    let since = performance.now();
    for await (const { text, start } of fileLines(pieces, { offset: from?.offset, encoding: from?.encoding, detected: (found) => (encoding = found) })) {
      line += 1;
      if (text.trim() !== '') {
        delimiter ??= delimiterOf(text);
        starts.set(line, start);
      }
      yield text;
      if (performance.now() - since < BUSY_MS) continue;
      await nextTask();
      since = performance.now();
    }
  };
  for await (const { line, cells } of importRecords(texts(), from?.delimiter)) {
    const offset = starts.get(line)!;
    // Lines that were joined to the record before are behind; those read ahead are not.
    for (const passed of starts.keys()) if (passed < line) starts.delete(passed);
    yield { line: before + line, cells, position: { offset, line: before + line - 1, encoding, delimiter: delimiter! } };
  }
}

interface FileLinesOptions {
  /** Byte that the pieces begin at; default 0. */
  offset?: number;
  /** Default: UTF-16 where the file begins with its mark, else UTF-8. */
  encoding?: FileEncoding;
  detected?: (encoding: FileEncoding) => void;
}

/** The physical lines of a file that comes in pieces, whatever ends them; byte order marks are dropped. */
export async function* fileLines(pieces: AsyncIterable<Uint8Array>, { offset = 0, encoding, detected }: FileLinesOptions = {}): AsyncGenerator<FileLine> {
  let start = offset;
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    rest = rest.length > 0 ? Buffer.concat([rest, piece]) : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    if (!encoding && rest.length < 2) continue;
    encoding ??= encodingOf(rest);
    detected?.(encoding);
    let from = 0;
    for (const { at, next } of lineEnds(rest, encoding)) {
      yield { text: decoded(rest.subarray(from, at), encoding), start: start + from };
      from = next;
    }
    start += from;
    rest = rest.subarray(from);
    if (rest.length < MAX_LINE_BYTES) continue;
    yield { text: decoded(rest.subarray(0, KEPT_BYTES), encoding), start };
    start += rest.length;
    rest = Buffer.alloc(0);
  }
  const last = decoded(rest, encoding ?? 'utf8').replace(/\r$/, '');
  if (last) yield { text: last, start };
}

const encodingOf = (head: Uint8Array): FileEncoding => (head[0] === 0xff && head[1] === 0xfe ? 'utf16le' : 'utf8');

function decoded(bytes: Buffer, encoding: FileEncoding): string {
  const text = bytes.toString(encoding);
  return text.startsWith(MARK) ? text.slice(1) : text;
}

interface LineEnd {
  at: number;
  next: number;
}

/** Line ends in order: LF, CRLF or CR. A CR at the very end may be half of a CRLF and is left for the next piece. */
function* lineEnds(bytes: Buffer, encoding: FileEncoding): Generator<LineEnd> {
  const unit = encoding === 'utf16le' ? 2 : 1;
  const find = unit === 2 ? (code: number, from: number) => indexOfUnit(bytes, code, from) : (code: number, from: number) => bytes.indexOf(code, from);
  const search = (code: number, from: number): number => {
    const found = find(code, from);
    return found < 0 ? Infinity : found;
  };
  for (let lf = search(LF, 0), cr = search(CR, 0); ; ) {
    const at = Math.min(lf, cr);
    if (at === Infinity || (at === cr && cr + 2 * unit > bytes.length)) return;
    const next = at === cr && lf === cr + unit ? lf + unit : at + unit;
    yield { at, next };
    if (lf < next) lf = search(LF, next);
    if (cr < next) cr = search(CR, next);
  }
}

function indexOfUnit(bytes: Buffer, code: number, from: number): number {
  for (let at = from; at + 1 < bytes.length; at += 2) if (bytes[at] === code && bytes[at + 1] === 0) return at;
  return -1;
}
