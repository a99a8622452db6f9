import { type CsvError, parse } from 'csv-parse/sync';

/** One record of a delimited text: its cells, and the number of its first line from 1. */
export interface DelimitedRecord {
  line: number;
  cells: string[];
  /** True if a line was longer than MAX_LINE_LENGTH, so that the cells contain only its beginning. */
  isCut?: boolean;
}

/**
 * Maximum number of lines that a quoted cell may span. A quote that stays open longer counts as a stray quote, which
 * costs one line instead of the whole file.
 */
export const MAX_JOINED_LINES = 20;
export const MAX_LINE_LENGTH = 64 * 1024;
export const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The most frequent delimiter outside quotes in a line; a comma if there is none. */
export function delimiterOf(line: string): string {
  const unquoted = line.replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => unquoted.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}

/**
 * Splits a record into cells. Trims blanks around cells. A quote inside an unquoted cell is text. If text follows a
 * closing quote, all quotes of the record are text.
 * @returns null if a quoted cell is still open at the end
 */
export function splitCells(text: string, delimiter: string): string[] | null {
  try {
    return cellsOf(text, delimiter, '"');
  } catch (error) {
    return isOpen(error) ? null : splitPlainly(text, delimiter);
  }
}

const splitPlainly = (line: string, delimiter: string): string[] => cellsOf(line, delimiter, null);
const isOpen = (error: unknown): boolean => (error as CsvError).code === 'CSV_QUOTE_NOT_CLOSED';

function cellsOf(text: string, delimiter: string, quote: '"' | null): string[] {
  // Fast path without the library, whose set-up per call costs more than splitting a line.
  if (quote === null || !text.includes(quote)) return text.split(delimiter).map((cell) => cell.trim());
  const [cells = []] = parse(text, {
    delimiter,
    quote: quote as never,
    record_delimiter: '\n',
    relax_quotes: true,
    relax_column_count: true,
    trim: true,
  });
  return cells.map((cell) => cell.trim());
}

/**
 * Reads the records of a text. Skips blank lines, and joins the lines of quoted cells.
 * @param given delimiter; default: the most frequent one in the first line
 */
export async function* delimitedRecords(lines: AsyncIterable<string>, given?: string): AsyncGenerator<DelimitedRecord> {
  const source = lines[Symbol.asyncIterator]();
  const ahead: string[] = [];
  /** Whether each of the lines in `ahead` was cut. */
  const cut: boolean[] = [];
  let line = 0;
  let delimiter = given;
  const peek = async (place: number): Promise<string | undefined> => {
    while (ahead.length <= place) {
      const next = await source.next();
      if (next.done) return undefined;
      ahead.push(next.value.slice(0, MAX_LINE_LENGTH));
      cut.push(next.value.length > MAX_LINE_LENGTH);
    }
    return ahead[place];
  };
  for (let text = await peek(0); text !== undefined; text = await peek(0)) {
    let used = 1;
    if (text.trim() !== '') {
      delimiter ??= delimiterOf(text);
      let cells = splitCells(text, delimiter);
      if (cells === null) {
        const joined = await joinCells(text, delimiter, peek);
        cells = joined?.cells ?? splitPlainly(text, delimiter);
        used = joined?.lines ?? 1;
      }
      yield cut.slice(0, used).includes(true) ? { line: line + 1, cells, isCut: true } : { line: line + 1, cells };
    }
    ahead.splice(0, used);
    cut.splice(0, used);
    line += used;
  }
}

/** Joins a line with an open quote to the lines up to its closing quote. @returns null if it is a stray quote */
async function joinCells(
  first: string,
  delimiter: string,
  peek: (place: number) => Promise<string | undefined>,
): Promise<{ cells: string[]; lines: number } | null> {
  let text = first;
  for (let lines = 2; lines <= MAX_JOINED_LINES; lines += 1) {
    const next = await peek(lines - 1);
    if (next === undefined) return null;
    text += `\n${next}`;
    if (text.length > MAX_LINE_LENGTH) return null;
    if (!next.includes('"')) continue;
    try {
      return { cells: cellsOf(text, delimiter, '"'), lines };
    } catch (error) {
      if (!isOpen(error)) return null;
    }
  }
  return null;
}
