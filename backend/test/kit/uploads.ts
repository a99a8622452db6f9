import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/**
 * A small PDF.
 * @param extra text for its catalogue, such as `/OpenAction << /S /JavaScript >>`
 */
export const pdf = (text = 'Resume', extra = ''): Buffer =>
  Buffer.from(
    `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R ${extra} >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n% ${text}\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n`,
  );

/** The harmless file that all virus scanners report. Split in two, so that scanners do not report this source file. */
export const EICAR = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}', '$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
);

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const MACRO_WORD = 'application/vnd.ms-word.document.macroEnabled.main+xml';

const contentTypes = (main: string): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`;

export async function zip(entries: Record<string, string | Buffer>, compress = true): Promise<Buffer> {
  const file = new ZipFile();
  for (const [name, content] of Object.entries(entries)) file.addBuffer(Buffer.from(content), name, { compress });
  file.end();
  return buffer(file.outputStream as Readable);
}

export const docx = (text = 'Resume', extra: Record<string, string | Buffer> = {}, main = WORD): Promise<Buffer> =>
  zip({
    '[Content_Types].xml': contentTypes(main),
    'word/document.xml': `<w:document><w:body><w:p>${text}</w:p></w:body></w:document>`,
    ...extra,
  });

/** A Word document with macros. */
export const docm = (): Promise<Buffer> => docx('Macros', { 'word/vbaProject.bin': 'x' }, MACRO_WORD);

export const odt = (text = 'Resume'): Promise<Buffer> =>
  zip({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': `<doc>${text}</doc>` }, false);

/** A small document that unpacks to 120 MB. */
export const zipBomb = (): Promise<Buffer> => docx('x', { 'word/media/a.bin': Buffer.alloc(120 * 1024 * 1024) });

/** A document with more parts than the limit. */
export const crowdedZip = (): Promise<Buffer> =>
  docx('x', Object.fromEntries(Array.from({ length: 2_001 }, (_, n) => [`word/p${n}.xml`, 'x'])));
