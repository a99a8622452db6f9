import { EventLoopYielder } from '../../../../shared/lifecycle/event-loop-yielder.js';
import { parseAddress } from '../../../../shared/mail/address.js';
import { boundedRecord } from './bounded-record.js';
import { delimiterOf, MAX_LINE_LENGTH, splitCells } from './delimited-records.js';
import { piecesOf } from './pieces.js';
import { recipientsOf } from './recipients.js';
import {
  BATCH_RECORDS,
  type ImportRecord,
  type RandomAccessPieces,
  type ReadingLimits,
  type RecordSource,
} from './record-source.js';
import { fileTooLarge } from './refusals.js';
import { linesOf } from './text-lines.js';
import { openText } from './text-source.js';

const ADDRESS = /^[^\s<>"@]+@[^\s<>"@]+$/;
const MAIL_HEADER = /^["\s]*(e-?mail|e-?mail\s?(address|id))["\s]*$/i;

/**
 * Opens a pasted text, which is small. Rows with tabs are a table, and so is a text whose first line is a header row
 * with an email column. Any other line is `email`, `email, name` or a list of recipients.
 */
export async function openPastedText(file: RandomAccessPieces, limits: ReadingLimits): Promise<RecordSource> {
  const text = Buffer.from(await file.read(0, file.size)).toString('utf8');
  if (await isTable(text)) return { ...(await openText(piecesOf(text), limits)), kind: 'text' };
  const records = async function* (): AsyncGenerator<ImportRecord[], void, void> {
    let batch: ImportRecord[] = [];
    let line = 0;
    const yielder = new EventLoopYielder();
    for await (const cells of peopleOf(text)) {
      line += 1;
      if (yielder.isDue()) await yielder.yieldNow();
      if (line > limits.rows) throw fileTooLarge('rows', limits);
      const record = boundedRecord(line, cells, limits);
      if (!record || batch.push(record) < BATCH_RECORDS) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  };
  return {
    kind: 'text',
    encoding: 'utf8',
    delimiter: null,
    sheets: [],
    uses1904: false,
    records,
    progress: () => ({ done: file.size, total: file.size }),
    close: async () => undefined,
  };
}

async function isTable(text: string): Promise<boolean> {
  let [first, lines, withTabs] = ['', 0, 0];
  for await (const line of linesIn(text)) {
    if (line.trim() === '') continue;
    if (lines === 0) first = line.slice(0, MAX_LINE_LENGTH);
    lines += 1;
    if (line.includes('\t')) withTabs += 1;
  }
  if (withTabs * 2 > lines) return true;
  const cells = splitCells(first, delimiterOf(first)) ?? [];
  return lines > 1 && cells.length > 1 && cells.some((cell) => MAIL_HEADER.test(cell)) && !first.includes('@');
}

const linesIn = (text: string): AsyncGenerator<string> => linesOf(whole(text), text.length);

async function* whole(text: string): AsyncGenerator<string> {
  yield text;
}

/**
 * Address and name of each person, as they are in the text. An entry without an address yields its own text instead of
 * an address.
 */
async function* peopleOf(text: string): AsyncGenerator<string[]> {
  for await (const line of linesIn(text)) {
    const trimmed = line.trim();
    if (trimmed === '') continue;
    const pair = addressAndName(trimmed);
    if (pair) yield pair;
    else for (const { address, name } of recipientsOf(trimmed)) yield address ? [address, name] : [name, ''];
  }
}

/** Splits a line that reads `email` or `email, name`. @returns null for any other line */
function addressAndName(line: string): string[] | null {
  const end = line.search(/[,;]/);
  const [address, name] = end < 0 ? [line, ''] : [line.slice(0, end).trim(), line.slice(end + 1).trim()];
  if (!ADDRESS.test(address) || /[@<>]/.test(name)) return null;
  return name === '' || parseAddress(address) ? [address, name] : null;
}
