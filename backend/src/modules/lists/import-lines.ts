import { StringDecoder } from 'node:string_decoder';

/** One record of an import's file: its cells, and the line it begins on, from 1. */
export interface ImportRecord {
  line: number;
  cells: string[];
}

/** How far a quoted cell may reach over line ends; beyond, its quote is taken for a stray one and costs one line, not the file. */
const MAX_JOINED_LINES = 20;
const MAX_LINE_LENGTH = 64 * 1024;
const DELIMITERS = [',', ';', '\t'] as const;

/** The physical lines of a text that comes in pieces, whatever ends them; a byte order mark is dropped. */
export async function* physicalLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: StringDecoder | undefined;
  let rest = '';
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece);
    decoder ??= new StringDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'utf8');
    rest += decoder.write(bytes);
    // A lone CR at the end may be half of a CRLF.
    const parts = rest.split(/\r\n|\n|\r(?!$)/);
    rest = parts.pop() ?? '';
    for (const part of parts) yield withoutMark(part);
    if (rest.length > MAX_LINE_LENGTH * 16) {
      yield rest.slice(0, MAX_LINE_LENGTH);
      rest = '';
    }
  }
  rest += decoder?.end() ?? '';
  const last = rest.replace(/\r$/, '');
  if (last) yield withoutMark(last);
}

const withoutMark = (line: string): string => (line.startsWith('\uFEFF') ? line.slice(1) : line);

/** The delimiter that a first line uses most, outside quotes; a comma when in doubt. */
export function delimiterOf(line: string): string {
  const bare = line.replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}

/**
 * Cells of one line, RFC 4180 with allowances: blanks around cells go, a quote inside an unquoted cell is text.
 * @returns null where a quoted cell is still open at the end
 */
export function splitCells(line: string, delimiter: string): string[] | null {
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    while (line[at] === ' ' || (line[at] === '\t' && delimiter !== '\t')) at += 1;
    if (line[at] === '"') {
      let text = '';
      let from = at + 1;
      for (;;) {
        const end = line.indexOf('"', from);
        if (end < 0) return null;
        text += line.slice(from, end);
        from = end + 1;
        if (line[from] !== '"') break;
        text += '"';
        from += 1;
      }
      const next = line.indexOf(delimiter, from);
      cells.push((text + line.slice(from, next < 0 ? undefined : next)).trim());
      if (next < 0) return cells;
      at = next + 1;
    } else {
      const next = line.indexOf(delimiter, at);
      cells.push(line.slice(at, next < 0 ? undefined : next).trim());
      if (next < 0) return cells;
      at = next + 1;
    }
  }
}

/** Records of a text: blank lines dropped, quoted cells joined over line ends where they do close again soon. */
export async function* importRecords(lines: AsyncIterable<string>): AsyncGenerator<ImportRecord> {
  const source = lines[Symbol.asyncIterator]();
  const ahead: string[] = [];
  let line = 0;
  let delimiter: string | undefined;
  const take = async (): Promise<string | undefined> => {
    const kept = ahead.shift();
    if (kept !== undefined) return kept;
    const next = await source.next();
    return next.done ? undefined : next.value;
  };
  for (let text = await take(); text !== undefined; text = await take()) {
    line += 1;
    if (text.trim() === '') continue;
    const first = text.slice(0, MAX_LINE_LENGTH);
    delimiter ??= delimiterOf(first);
    const begin = line;
    let cells = splitCells(first, delimiter);
    if (cells === null) {
      const joined: string[] = [];
      for (let whole = first; cells === null && joined.length < MAX_JOINED_LINES; ) {
        const next = await take();
        if (next === undefined) break;
        joined.push(next);
        whole += `\n${next}`;
        cells = splitCells(whole, delimiter);
      }
      if (cells === null) {
        ahead.unshift(...joined);
        cells = first.split(delimiter).map((cell) => cell.trim());
      } else line += joined.length;
    }
    yield { line: begin, cells };
  }
}
