import { boundedRecord } from '../bounded-record.js';
import { BATCH_RECORDS, type ImportRecord, type ReadingLimits } from '../record-source.js';
import { fileTooLarge } from '../refusals.js';
import { columnOf, numberText, serialText } from './cell-text.js';
import { parseXml, type XmlAttributes, type XmlHandlers } from './xml-events.js';

/** Data of the workbook that the values of cells refer to. */
export interface CellContext {
  sharedString(index: number): string;
  /** Whether each style shows dates, by style index. */
  dateStyles: readonly boolean[];
  uses1904: boolean;
}

/** The rows of a sheet in batches. Formulas yield the value that was last calculated; errors yield nothing. */
export async function* sheetRows(
  xml: AsyncIterable<Uint8Array>,
  context: CellContext,
  limits: ReadingLimits,
): AsyncGenerator<ImportRecord[], void, void> {
  const reader = new RowReader(context, limits);
  for await (const _piece of parseXml(xml, reader, limits))
    while (reader.rows.length >= BATCH_RECORDS) yield reader.rows.splice(0, BATCH_RECORDS);
  while (reader.rows.length > 0) yield reader.rows.splice(0, BATCH_RECORDS);
}

class RowReader implements Required<XmlHandlers> {
  readonly rows: ImportRecord[] = [];
  private count = 0;
  private line = 0;
  private cells: string[] = [];
  private column = -1;
  /** Characters of the row so far; beyond the limit, further cells are not read. */
  private length = 0;
  private isWide = false;
  /** Characters of all records so far. Limited, because a small file can repeat a few shared strings in every row. */
  private given = 0;
  private type = 'n';
  private style = 0;
  private value = '';
  private isValue = false;
  private isPhonetic = false;

  constructor(
    private readonly context: CellContext,
    private readonly limits: ReadingLimits,
  ) {}

  open = (name: string, attributes: XmlAttributes): void => {
    if (name === 'c') this.openCell(attributes);
    else if (name === 'v' || (name === 't' && !this.isPhonetic)) this.isValue = true;
    else if (name === 'row') this.openRow(attributes);
    else if (name === 'rPh') this.isPhonetic = true;
  };

  text = (text: string): void => {
    const room = this.limits.recordLength + 1 - this.value.length;
    if (this.isValue && room > 0) this.value += text.length > room ? text.slice(0, room) : text;
  };

  close = (name: string): void => {
    if (name === 'c') this.closeCell();
    else if (name === 'v' || name === 't') this.isValue = false;
    else if (name === 'row') this.closeRow();
    else if (name === 'rPh') this.isPhonetic = false;
  };

  private openRow({ r }: XmlAttributes): void {
    const number = Number(r);
    this.line = Number.isSafeInteger(number) && number > this.line ? number : this.line + 1;
    if (this.line > this.limits.rows) throw fileTooLarge('rows', this.limits);
    this.cells = [];
    this.column = -1;
    this.length = 0;
    this.isWide = false;
  }

  private openCell({ r, t, s }: XmlAttributes): void {
    this.column = (r === undefined ? undefined : columnOf(r)) ?? this.column + 1;
    this.type = t ?? 'n';
    this.style = s === undefined ? 0 : Number(s);
    this.value = '';
  }

  private closeCell(): void {
    const isBeyond = this.column >= this.limits.columns;
    // The record is refused already, and reading a shared string costs file access.
    if (this.length > this.limits.recordLength || (isBeyond && this.isWide)) return;
    const text = this.cellText().trim();
    if (text === '') return;
    if (isBeyond) {
      this.isWide = true;
      return;
    }
    while (this.cells.length < this.column) this.cells.push('');
    this.cells[this.column] = text;
    this.length += text.length;
  }

  private closeRow(): void {
    const isLong = this.length > this.limits.recordLength;
    const record =
      boundedRecord(this.line, this.cells, this.limits, isLong) ??
      (this.isWide ? { line: this.line, cells: [] } : undefined);
    if (!record) return;
    this.count += 1;
    if (this.count > this.limits.rows) throw fileTooLarge('rows', this.limits);
    for (const cell of record.cells) this.given += cell.length;
    if (this.given > this.limits.unpackedBytes) throw fileTooLarge('unpacked', this.limits);
    this.rows.push(this.isWide && !record.refused ? { ...record, refused: 'too_wide' } : record);
  }

  private cellText(): string {
    const { type, value } = this;
    if (value === '' || type === 'e') return '';
    if (type === 's') return this.context.sharedString(Number(value));
    if (type === 'b') return value === '1' || value === 'true' ? 'TRUE' : 'FALSE';
    if (type !== 'n') return value;
    if (!this.context.dateStyles[this.style]) return numberText(value.trim());
    return serialText(Number(value), this.context.uses1904) ?? numberText(value.trim());
  }
}
