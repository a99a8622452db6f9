import { type CsvError, parse } from 'csv-parse/sync';

/** One record of an import's file: its cells, and the line it begins on, from 1. */
export interface ImportRecord {
  line: number;
  cells: string[];
}

/** How far a quoted cell may reach over line ends; beyond, its quote is taken for a stray one and costs one line, not the file. */
const MAX_JOINED_LINES = 20;
const MAX_LINE_LENGTH = 64 * 1024;
export const DELIMITERS = [',', ';', '\t'] as const;

/** The delimiter that stands most often outside quotes in a first line; a comma when in doubt. */
export function delimiterOf(line: string): string {
  const unquoted = line.replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => unquoted.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}

/**
 * Cells of one record: blanks around cells go, a quote inside an unquoted cell is text, and so are all quotes of a record that
 * has more behind a closing one.
 * @returns null where a quoted cell is still open at the end
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
  // The library is set up anew for each call, which costs more than a line is worth.
  if (quote === null || !text.includes(quote)) return text.split(delimiter).map((cell) => cell.trim());
  const [cells = []] = parse(text, { delimiter, quote: quote as never, record_delimiter: '\n', relax_quotes: true, relax_column_count: true, trim: true });
  return cells.map((cell) => cell.trim());
}

/**
 * Records of a text: blank lines dropped, quoted cells joined over line ends where they do close again soon.
 * @param given what the cells are cut at; default: what the first line uses most
 */
export async function* importRecords(lines: AsyncIterable<string>, given?: string): AsyncGenerator<ImportRecord> {
  const source = lines[Symbol.asyncIterator]();
  const ahead: string[] = [];
  let line = 0;
  let delimiter = given;
  const look = async (place: number): Promise<string | undefined> => {
    while (ahead.length <= place) {
      const next = await source.next();
      if (next.done) return undefined;
      ahead.push(next.value.slice(0, MAX_LINE_LENGTH));
    }
    return ahead[place];
  };
  for (let text = await look(0); text !== undefined; text = await look(0)) {
    let used = 1;
    if (text.trim() !== '') {
      delimiter ??= delimiterOf(text);
      let cells = splitCells(text, delimiter);
      if (cells === null) {
        const joined = await joinCells(text, delimiter, look);
        cells = joined?.cells ?? splitPlainly(text, delimiter);
        used = joined?.lines ?? 1;
      }
      yield { line: line + 1, cells };
    }
    ahead.splice(0, used);
    line += used;
  }
}

/** A line with an open quote, with the lines after it, up to the one that closes it; null where that quote is a stray one. */
async function joinCells(first: string, delimiter: string, look: (place: number) => Promise<string | undefined>): Promise<{ cells: string[]; lines: number } | null> {
  let text = first;
  for (let lines = 2; lines <= MAX_JOINED_LINES; lines += 1) {
    const next = await look(lines - 1);
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
