import { createReadStream } from 'node:fs';
import { fileTypeFromFile } from 'file-type';
import { listZip, type ZipListing } from './zip-listing.js';
import type { FileType } from '../stored-file.entity.js';

const PDF = 'application/pdf';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const ODT = 'application/vnd.oasis.opendocument.text';
const RTF = 'application/rtf';
/** Container format of old Word files; installers and old spreadsheets use it too. */
const COMPOUND_FILE = 'application/x-cfb';
/** Name of the stream that identifies an old Word file. */
const WORD_STREAM = Buffer.from('WordDocument', 'utf16le');

/** Names of parts that hold macros, scripts or ActiveX controls. */
const MACROS = /(?:^|\/)(?:vbaproject|vbadata|macrosheets|activex|basic|scripts)(?:[./]|$)/;
/** PDF names that run code, embed files or encrypt the content, which then cannot be checked. */
const DANGERS = ['/Launch', '/EmbeddedFile', '/JavaScript', '/JS', '/Encrypt'];

/**
 * The type of an uploaded file, judged by its bytes and never by its name.
 * @param hasScanner whether a virus scanner will check the file; if so, types that cannot be checked here are accepted
 * too
 * @returns null for a file that is not accepted
 */
export async function uploadedFileType(path: string, hasScanner: boolean): Promise<FileType | null> {
  const start = await readStart(path);
  if (start.subarray(0, 2).equals(Buffer.from('PK'))) {
    // Lists the archive before anything in it is unpacked.
    const listing = await listZip(path);
    return listing ? containerType(path, listing) : null;
  }
  const found = (await fileTypeFromFile(path).catch(() => ({ mime: 'unreadable' })))?.mime;
  if (found === PDF) return hasScanner || !(await holds(path, DANGERS)) ? PDF : null;
  if (found === RTF) return hasScanner ? RTF : null;
  if (found === COMPOUND_FILE) return hasScanner && (await holdsBytes(path, WORD_STREAM)) ? 'application/msword' : null;
  return found === undefined && (await isText(path, start)) ? 'text/plain' : null;
}

async function containerType(path: string, { names, isEncrypted }: ZipListing): Promise<FileType | null> {
  if (isEncrypted || [...names].some((name) => MACROS.test(name))) return null;
  const found = (await fileTypeFromFile(path).catch(() => undefined))?.mime;
  if (found === DOCX) return names.has('word/document.xml') ? DOCX : null;
  // In an encrypted ODT, the parts are encrypted and the archive is not. Only the manifest states this, and it is not
  // read here.
  return found === ODT && names.has('content.xml') ? ODT : null;
}

async function readStart(path: string): Promise<Buffer> {
  for await (const chunk of createReadStream(path, { end: 4095 })) return chunk as Buffer;
  return Buffer.alloc(0);
}

/** Whether a PDF contains one of these names. Decodes #xx, which may stand for any character of a name. */
async function holds(path: string, names: readonly string[]): Promise<boolean> {
  const longest = 64;
  let rest = '';
  for await (const chunk of createReadStream(path)) {
    const text = rest + (chunk as Buffer).toString('latin1');
    const plain = text.replace(/#([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
    if (names.some((name) => hasName(plain, name))) return true;
    rest = text.slice(-longest);
  }
  return false;
}

/** End of a PDF name: white space or a delimiter, after an optional plural s. */
const NAME_END = /^s?[\0\t\n\f\r ()<>[\]{}/%]/;

/**
 * Whether a text contains a complete PDF name, also in the plural, such as /EmbeddedFiles. Names without an end do not
 * count: compressed pictures contain short ones by chance.
 */
function hasName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (NAME_END.test(text.slice(at + name.length, at + name.length + 2))) return true;
  return false;
}

async function holdsBytes(path: string, wanted: Buffer): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path)) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    if (bytes.includes(wanted)) return true;
    rest = bytes.subarray(-wanted.length);
  }
  return false;
}

/** Control characters that plain texts do not contain. */
const NOT_TEXT = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/;
const BOM = /^(?:\ufeff|\u00ef\u00bb\u00bf)/;

/** Whether a file is plain text. Markup is refused, because a browser would show it as a page. */
async function isText(path: string, start: Buffer): Promise<boolean> {
  if (start.toString('latin1').replace(BOM, '').trimStart().startsWith('<')) return false;
  for await (const chunk of createReadStream(path))
    if (NOT_TEXT.test((chunk as Buffer).toString('latin1'))) return false;
  return true;
}
