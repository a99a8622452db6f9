import type { ReadingLimits, SheetInfo } from '../record-source.js';
import { fileTooLarge, fileType } from '../refusals.js';
import { isDateFormat } from './cell-text.js';
import { attributeOf, readXml } from './xml-events.js';
import type { ZipArchive } from './zip-archive.js';

/** A visible sheet, and the name of the archive's part that holds it. */
export interface WorkbookSheet extends SheetInfo {
  part: string;
}

/** The contents of the parts that describe the sheets. */
export interface Workbook {
  sheets: WorkbookSheet[];
  uses1904: boolean;
  strings: string | null;
  styles: string | null;
}

/** Maximum size of a part that describes a workbook; such parts are small. */
const MAX_PART_BYTES = 16 * 1024 * 1024;
const MAX_SHEETS = 1_000;
const MAX_STYLES = 65_536;

interface Relation {
  type: string;
  target: string;
}

/** Reads which parts a workbook has. @throws AppError for an archive that is no workbook of XML parts */
export async function readWorkbook(zip: ZipArchive, limits: ReadingLimits): Promise<Workbook> {
  const root = await relationsOf(zip, '', limits);
  const path = [...root.values()].find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml';
  if (!zip.has(path) || !path.toLowerCase().endsWith('.xml')) throw fileType('no_workbook');
  const relations = await relationsOf(zip, path, limits);
  const sheets: WorkbookSheet[] = [];
  let [index, uses1904, isWorkbook] = [0, false, false];
  await readXml(
    smallPart(zip, path, limits),
    {
      open(name, attributes) {
        if (name === 'workbook') isWorkbook = true;
        if (name === 'workbookPr') uses1904 = /^(1|true)$/.test(attributes['date1904'] ?? '');
        if (name !== 'sheet') return;
        const relation = relations.get(attributeOf(attributes, 'id') ?? '');
        const isVisible = (attributes['state'] ?? 'visible') === 'visible';
        if (isVisible && relation?.type === 'worksheet' && zip.has(relation.target) && index < MAX_SHEETS)
          sheets.push({ index, name: (attributes['name'] ?? '').slice(0, 100), part: relation.target });
        index += 1;
      },
    },
    limits,
  );
  if (!isWorkbook || sheets.length === 0) throw fileType('no_workbook');
  const partOf = (wanted: string) => [...relations.values()].find(({ type }) => type === wanted)?.target ?? null;
  return { sheets, uses1904, strings: partOf('sharedStrings'), styles: partOf('styles') };
}

/** Whether each cell style shows dates, by the style's index. */
export async function readDateStyles(zip: ZipArchive, part: string, limits: ReadingLimits): Promise<boolean[]> {
  const codes = new Map<number, string>();
  const formats: number[] = [];
  let isCellStyle = false;
  await readXml(
    smallPart(zip, part, limits),
    {
      open(name, attributes) {
        if (name === 'numFmt') codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
        if (name === 'cellXfs') isCellStyle = true;
        if (name === 'xf' && isCellStyle && formats.length < MAX_STYLES) formats.push(Number(attributes['numFmtId']));
      },
      close(name) {
        if (name === 'cellXfs') isCellStyle = false;
      },
    },
    limits,
  );
  return formats.map((id) => isDateFormat(id, codes.get(id)));
}

/** The relationships of a part by id, each with the last segment of its type. */
async function relationsOf(zip: ZipArchive, part: string, limits: ReadingLimits): Promise<Map<string, Relation>> {
  const slash = part.lastIndexOf('/') + 1;
  const folder = part.slice(0, slash);
  const relations = new Map<string, Relation>();
  await readXml(
    smallPart(zip, `${folder}_rels/${part.slice(slash)}.rels`, limits),
    {
      open(name, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) {
        if (name !== 'Relationship' || mode === 'External') return;
        relations.set(id, { type: type.slice(type.lastIndexOf('/') + 1), target: pathOf(folder, target) });
      },
    },
    limits,
  );
  return relations;
}

/** Resolves the target of a relationship to a path from the root of the archive. */
function pathOf(folder: string, target: string): string {
  const steps: string[] = [];
  for (const step of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

function smallPart(zip: ZipArchive, part: string, limits: ReadingLimits): AsyncGenerator<Uint8Array, void, void> {
  if (zip.sizeOf(part) > MAX_PART_BYTES) throw fileTooLarge('unpacked', limits);
  return zip.part(part);
}
