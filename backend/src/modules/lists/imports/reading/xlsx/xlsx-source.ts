import type { ImportRecord, RandomAccessPieces, ReadingLimits, RecordSource } from '../record-source.js';
import { withoutTitle } from '../title-rows.js';
import { SharedStrings } from './shared-strings.js';
import { sheetRows } from './sheet-rows.js';
import { readDateStyles, readWorkbook, type Workbook } from './workbook.js';
import { ZipArchive } from './zip-archive.js';

/** Opens an Excel workbook (.xlsx). */
export async function openXlsx(
  file: RandomAccessPieces,
  limits: ReadingLimits,
  tempDir?: string,
): Promise<RecordSource> {
  const zip = await ZipArchive.open(file, limits);
  try {
    return new XlsxSource(zip, await readWorkbook(zip, limits), limits, tempDir);
  } catch (error) {
    zip.close();
    throw error;
  }
}

class XlsxSource implements RecordSource {
  readonly kind = 'xlsx';
  readonly encoding = null;
  readonly delimiter = null;
  readonly sheets;
  readonly uses1904;
  private strings: SharedStrings | null = null;
  private dateStyles: boolean[] | null = null;
  private readonly bar = { done: 0, total: 0 };

  constructor(
    private readonly zip: ZipArchive,
    private readonly workbook: Workbook,
    private readonly limits: ReadingLimits,
    private readonly tempDir: string | undefined,
  ) {
    this.sheets = workbook.sheets.map(({ index, name }) => ({ index, name }));
    this.uses1904 = workbook.uses1904;
  }

  async *records(sheet?: number): AsyncGenerator<ImportRecord[], void, void> {
    const { sheets, strings, styles } = this.workbook;
    const { part } = sheets.find(({ index }) => index === sheet) ?? sheets[0]!;
    this.zip.checkSize(part, ...(strings ? [strings] : []));
    this.bar.done = 0;
    this.bar.total = this.zip.sizeOf(part) + (strings && !this.strings ? this.zip.sizeOf(strings) : 0);
    if (strings && this.zip.has(strings))
      this.strings ??= yield* SharedStrings.spill(this.counted(strings), this.limits, this.tempDir);
    this.dateStyles ??= styles ? await readDateStyles(this.zip, styles, this.limits) : [];
    const context = {
      sharedString: (index: number) => this.strings?.get(index) ?? '',
      dateStyles: this.dateStyles,
      uses1904: this.uses1904,
    };
    yield* withoutTitle(sheetRows(this.counted(part), context, this.limits));
  }

  progress(): { done: number; total: number } {
    return { ...this.bar };
  }

  async close(): Promise<void> {
    this.zip.close();
    const { strings } = this;
    this.strings = null;
    await strings?.close();
  }

  private async *counted(part: string): AsyncGenerator<Uint8Array, void, void> {
    for await (const bytes of this.zip.part(part)) {
      this.bar.done += bytes.length;
      yield bytes;
    }
  }
}
