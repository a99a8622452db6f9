import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** A cell: text, number, or XML of the sheet. */
export type CellValue = string | number | { xml: string };

export interface SheetContent {
  name: string;
  state?: 'hidden' | 'veryHidden';
  rows: Iterable<readonly CellValue[]>;
  /** XML that follows the rows, such as merged cells. */
  after?: string;
}

interface WorkbookOptions {
  /** Where texts are stored. Excel uses shared strings. */
  texts?: 'shared' | 'inline';
  date1904?: boolean;
  /** Number formats of the cell styles 1, 2, …; style 0 is General. */
  formats?: readonly string[];
  /** Parts to add or to replace, by name. */
  parts?: Readonly<Record<string, string>>;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const PROLOGUE = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char]!);

/** The letters of a column with a zero-based index. */
export const letters = (column: number): string =>
  (column >= 26 ? letters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));

/** An .xlsx file like those of Excel. Rows are generated while they are packed. */
export async function workbookOf(sheets: readonly SheetContent[], options: WorkbookOptions = {}): Promise<Buffer> {
  const strings = new Map<string, number>();
  const relations = sheets.map(
    (_, n) => `<Relationship Id="rId${n + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n + 1}.xml"/>`,
  );
  const formats = options.formats ?? [];
  const parts: Record<string, string | Iterable<string>> = {
    '_rels/.rels': `${PROLOGUE}<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${PROLOGUE}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr${options.date1904 ? ' date1904="1"' : ''}/><sheets>${sheets
      .map(
        ({ name, state }, n) =>
          `<sheet name="${escaped(name)}" sheetId="${n + 1}"${state ? ` state="${state}"` : ''} r:id="rId${n + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${PROLOGUE}<Relationships xmlns="${PACKAGE}">${relations.join('')}<Relationship Id="rIdS" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rIdF" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${PROLOGUE}<styleSheet xmlns="${MAIN}"><numFmts>${formats
      .map((code, n) => `<numFmt numFmtId="${164 + n}" formatCode="${escaped(code)}"/>`)
      .join('')}</numFmts><cellXfs><xf numFmtId="0"/>${formats
      .map((_, n) => `<xf numFmtId="${164 + n}"/>`)
      .join('')}</cellXfs></styleSheet>`,
  };
  sheets.forEach((sheet, n) => {
    parts[`xl/worksheets/sheet${n + 1}.xml`] = sheetXml(sheet, options.texts === 'inline' ? null : strings);
  });
  // This part comes last, because generating the rows of the sheets fills it.
  if (options.texts !== 'inline') parts['xl/sharedStrings.xml'] = stringsXml(strings);
  return zipOf({ ...parts, ...options.parts });
}

/** A zip archive. Names are written unchanged, even with `..`. */
export async function zipOf(parts: Readonly<Record<string, string | Buffer | Iterable<string>>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(parts)) {
    if (typeof content === 'string' || Buffer.isBuffer(content)) zip.addBuffer(Buffer.from(content), name);
    else zip.addReadStreamLazy(name, (give) => give(null, Readable.from(inChunks(content), { objectMode: false })));
  }
  zip.end();
  return buffer(zip.outputStream);
}

function* sheetXml(
  { rows, after = '' }: SheetContent,
  strings: Map<string, number> | null,
): Generator<string, void, void> {
  yield `${PROLOGUE}<worksheet xmlns="${MAIN}"><sheetData>`;
  let line = 0;
  for (const cells of rows) {
    line += 1;
    yield `<row r="${line}">${cells.map((value, column) => cellXml(value, `${letters(column)}${line}`, strings)).join('')}</row>`;
  }
  yield `</sheetData>${after}</worksheet>`;
}

function cellXml(value: CellValue, reference: string, strings: Map<string, number> | null): string {
  if (typeof value === 'number') return `<c r="${reference}"><v>${value}</v></c>`;
  if (typeof value === 'object') return value.xml.replace('<c', `<c r="${reference}"`);
  if (value === '') return '';
  if (!strings) return `<c r="${reference}" t="inlineStr"><is><t>${escaped(value)}</t></is></c>`;
  const index = strings.get(value) ?? strings.size;
  strings.set(value, index);
  return `<c r="${reference}" t="s"><v>${index}</v></c>`;
}

function* stringsXml(strings: ReadonlyMap<string, number>): Generator<string, void, void> {
  yield `${PROLOGUE}<sst xmlns="${MAIN}">`;
  for (const text of strings.keys()) yield `<si><t xml:space="preserve">${escaped(text)}</t></si>`;
  yield '</sst>';
}

function* inChunks(texts: Iterable<string>): Generator<Buffer, void, void> {
  let chunk = '';
  for (const text of texts) {
    chunk += text;
    if (chunk.length < 65_536) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  if (chunk) yield Buffer.from(chunk);
}
