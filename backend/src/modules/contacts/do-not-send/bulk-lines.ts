import { parse } from 'csv-parse/sync';

/** One line of a pasted or uploaded text of do-not-send entries. */
export interface BulkLine {
  /** Number of the line, from 1. */
  line: number;
  cells: string[];
}

const DELIMITERS = [',', ';', '\t'];
/** Texts of a first cell that identify a line as the header row. */
const HEADERS = new Set(['value', 'address', 'domain', 'email', 'company']);

/** The cells of each line of a text, without blank lines and a header row. */
export function readBulkLines(text: string): BulkLine[] {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ line: index + 1, cells: cellsOf(line) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  return HEADERS.has(lines[0]?.cells[0]?.toLowerCase() ?? '') ? lines.slice(1) : lines;
}

function cellsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(/[,;\t]/).map((cell) => cell.trim());
  try {
    const [cells = []] = parse(line, {
      delimiter: DELIMITERS,
      relax_quotes: true,
      relax_column_count: true,
      trim: true,
    });
    return cells;
  } catch {
    // A line with an unclosed quote is split as plain text.
    return line.split(/[,;\t]/).map((cell) => cell.trim());
  }
}
