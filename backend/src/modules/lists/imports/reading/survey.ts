import { parseAddress } from '../../../../shared/mail/address.js';
import { asOneLine } from '../../../../shared/text/one-line.js';
import { isHeaderName } from '../judging/header-names.js';
import type { RecordSource } from './record-source.js';
import { fileTooLarge } from './refusals.js';
import { READING_LIMITS } from './record-source.js';

/** The first rows of a sheet, from which its columns are recognised. */
export interface SheetSurvey {
  hasHeader: boolean;
  /** One label for each column, such as `Column 3` for a column without a heading. */
  header: string[];
  /** The first values of each column. */
  samples: string[][];
  /** Rows after the header, from which targets are guessed. */
  sampleRows: string[][];
}

const SAMPLE_ROWS = 200;
const SAMPLES = 3;
const MAX_LABEL_LENGTH = 100;
const MAX_SAMPLE_LENGTH = 200;

/**
 * Reads the first rows of a sheet.
 * @param options.hasHeader the user's choice; default: detected from the cells
 * @throws AppError if the first row has too many columns
 */
export async function surveySheet(
  source: RecordSource,
  options: { sheet?: number; hasHeader?: boolean } = {},
): Promise<SheetSurvey> {
  const rows: string[][] = [];
  let isFirst = true;
  for await (const batch of source.records(options.sheet)) {
    for (const { cells, refused } of batch) {
      if (isFirst && refused === 'too_wide') throw fileTooLarge('columns', READING_LIMITS);
      isFirst = false;
      if (!refused) rows.push(cells);
    }
    if (rows.length > SAMPLE_ROWS) break;
  }
  const hasHeader = options.hasHeader ?? looksLikeHeader(rows, source.kind === 'text' && source.delimiter === null);
  const sampleRows = rows.slice(hasHeader ? 1 : 0, SAMPLE_ROWS + (hasHeader ? 1 : 0));
  const width = Math.max(0, ...rows.slice(0, SAMPLE_ROWS + 1).map((cells) => cells.length));
  const header = Array.from({ length: width }, (_, column) => labelOf(hasHeader ? rows[0]?.[column] : '', column));
  const samples = header.map((_, column) =>
    sampleRows
      .map((cells) => (cells[column] ?? '').slice(0, MAX_SAMPLE_LENGTH))
      .filter(Boolean)
      .slice(0, SAMPLES),
  );
  return { hasHeader, header, samples, sampleRows };
}

/**
 * Whether the first row is a header: it contains no address, and either a known header name or addresses in rows below
 * it.
 */
function looksLikeHeader(rows: readonly string[][], isRecipients: boolean): boolean {
  const [first, ...others] = rows;
  if (!first || isRecipients || first.some((cell) => parseAddress(cell) !== null || cell.includes('@'))) return false;
  return first.some(isHeaderName) || others.some((cells) => cells.some((cell) => parseAddress(cell) !== null));
}

/** Label of a column, by the rules for labels of custom fields, so that any column can become a field. */
const labelOf = (cell: string | undefined, column: number): string =>
  asOneLine(cell ?? '')
    .slice(0, MAX_LABEL_LENGTH)
    .trim() || `Column ${column + 1}`;
