import { isAddressHeader } from '../judging/header-names.js';
import { delimitedRecords, delimiterOf, MAX_LINE_LENGTH, splitCells } from './delimited-records.js';
import { fileTooLarge } from './refusals.js';
import { streamOf } from './pieces.js';
import {
  BATCH_RECORDS,
  type ImportRecord,
  type RandomAccessPieces,
  type ReadingLimits,
  type RecordSource,
} from './record-source.js';
import { boundedRecord } from './bounded-record.js';
import { decoded, encodingOfFile, textStart } from './text-encoding.js';
import { linesOf } from './text-lines.js';
import { withoutTitle } from './title-rows.js';

/** Excel writes this line to name the delimiter of a CSV file. */
const SEPARATOR_LINE = /^sep=([,;|\t])\s*$/i;
/** Number of characters of the first line in which a separator line is looked for. */
const SEPARATOR_LENGTH = 16;
/** Lines in which the header row is looked for. */
const SEARCHED_LINES = 10;

/** Opens a delimited text as a stream of records. Finds the delimiter in the first lines. */
export async function openText(file: RandomAccessPieces, limits: ReadingLimits): Promise<RecordSource> {
  const encoding = await encodingOfFile(file);
  const start = await textStart(file, encoding);
  let done = 0;
  const pieces = async function* () {
    done = start;
    for await (const piece of streamOf(file, start)) {
      done += piece.length;
      yield piece;
    }
  };
  const lines = () => linesOf(decoded(pieces(), encoding), MAX_LINE_LENGTH + 1);
  const { delimiter, isNamed } = await delimiterIn(lines());
  const records = async function* (): AsyncGenerator<ImportRecord[], void, void> {
    let batch: ImportRecord[] = [];
    let rows = 0;
    for await (const { line, cells, isCut } of delimitedRecords(lines(), delimiter ?? undefined)) {
      if (isNamed && line === 1) continue;
      const record = boundedRecord(line, cells, limits, isCut);
      if (!record) continue;
      rows += 1;
      if (rows > limits.rows) throw fileTooLarge('rows', limits);
      if (batch.push(record) < BATCH_RECORDS) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  };
  return {
    kind: delimiter === '\t' ? 'tsv' : 'csv',
    encoding,
    delimiter,
    sheets: [],
    uses1904: false,
    records: () => withoutTitle(records()),
    progress: () => ({ done, total: file.size }),
    close: async () => undefined,
  };
}

/**
 * Finds the delimiter: the one that a separator line names, else the delimiter of the header row if the first lines
 * contain it, else the delimiter of the first line that is not blank.
 */
async function delimiterIn(lines: AsyncIterable<string>): Promise<{ delimiter: string | null; isNamed: boolean }> {
  let first: string | null = null;
  let searched = 0;
  for await (const line of lines) {
    const named = first === null && SEPARATOR_LINE.exec(line.slice(0, SEPARATOR_LENGTH));
    if (named) return { delimiter: named[1]!, isNamed: true };
    searched += 1;
    if (line.trim() === '') continue;
    const delimiter = delimiterOf(line);
    first ??= delimiter;
    if (splitCells(line, delimiter)?.some(isAddressHeader)) return { delimiter, isNamed: false };
    if (line.includes('@') || searched > SEARCHED_LINES) break;
  }
  return { delimiter: first, isNamed: false };
}
