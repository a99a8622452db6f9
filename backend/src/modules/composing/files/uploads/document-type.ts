import { createReadStream } from 'node:fs';
import { fileTypeFromFile } from 'file-type';
import { listZip, type ZipListing } from './zip-listing.js';
import type { DocumentType } from '../stored-file.entity.js';

const PDF = 'application/pdf';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const ODT = 'application/vnd.oasis.opendocument.text';
const RTF = 'application/rtf';
/** What Word's older files are in; so are installers and spreadsheets. */
const COMPOUND_FILE = 'application/x-cfb';
/** Name of the stream that makes a compound file one of Word. */
const WORD_STREAM = Buffer.from('WordDocument', 'utf16le');

/** Parts of a document that run, or that nobody sees. */
const MACROS = /(?:^|\/)(?:vbaproject|vbadata|macrosheets|activex|basic|scripts)(?:[./]|$)/;
/** Names in a PDF that run something, hide files in it, or hide it from a look. */
const DANGERS = ['/Launch', '/EmbeddedFile', '/JavaScript', '/JS', '/Encrypt'];

/**
 * The type of an uploaded document by its bytes, whatever its name says.
 * @param hasScanner a virus scanner looks at it too: then types that cannot be judged here are taken
 * @returns null for one that is not taken
 */
export async function documentTypeOf(path: string, hasScanner: boolean): Promise<DocumentType | null> {
  const start = await readStart(path);
  if (start.subarray(0, 2).equals(Buffer.from('PK'))) {
    // Before anything of it is unpacked.
    const listing = await listZip(path);
    return listing ? containerType(path, listing) : null;
  }
  const found = (await fileTypeFromFile(path).catch(() => ({ mime: 'unreadable' })))?.mime;
  if (found === PDF) return hasScanner || !(await holds(path, DANGERS)) ? PDF : null;
  if (found === RTF) return hasScanner ? RTF : null;
  if (found === COMPOUND_FILE) return hasScanner && (await holdsBytes(path, WORD_STREAM)) ? 'application/msword' : null;
  return found === undefined && (await isText(path, start)) ? 'text/plain' : null;
}

async function containerType(path: string, { names, isEncrypted }: ZipListing): Promise<DocumentType | null> {
  if (isEncrypted || [...names].some((name) => MACROS.test(name))) return null;
  const found = (await fileTypeFromFile(path).catch(() => undefined))?.mime;
  if (found === DOCX) return names.has('word/document.xml') ? DOCX : null;
  // An encrypted ODT is an ordinary archive of encrypted parts; its manifest says so and is not unpacked here.
  return found === ODT && names.has('content.xml') ? ODT : null;
}

async function readStart(path: string): Promise<Buffer> {
  for await (const chunk of createReadStream(path, { end: 4095 })) return chunk as Buffer;
  return Buffer.alloc(0);
}

/** Whether a PDF names one of these; in names any character may be written as #xx. */
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

/** What ends a name in a PDF: white space or a delimiter. */
const NAME_END = /^s?[\0\t\n\f\r ()<>[\]{}/%]/;

/**
 * A whole name, not the start of a longer one; /EmbeddedFiles is one too. Only what ends a name counts: compressed
 * pictures have the letters of the short ones by chance.
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

/** Control characters that no text has. */
const NOT_TEXT = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/;
const BOM = /^(?:\ufeff|\u00ef\u00bb\u00bf)/;

/** Whether it reads as text and is no markup, which a browser would show as a page. */
async function isText(path: string, start: Buffer): Promise<boolean> {
  if (start.toString('latin1').replace(BOM, '').trimStart().startsWith('<')) return false;
  for await (const chunk of createReadStream(path))
    if (NOT_TEXT.test((chunk as Buffer).toString('latin1'))) return false;
  return true;
}
