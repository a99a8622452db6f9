import { DOCUMENT_TYPES, type DocumentType } from '../stored-file.entity.js';

const MOST = 200;
/** What a display name does not hold: control, bidirectional and invisible characters. */
const NOT_IN_NAMES = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;
/** Endings that say what a file is. In the middle of a name they would pass for its type where systems hide the last one. */
const ENDINGS =
  /\.(?:pdf|docx?|docm|dotx?|dotm|odt|ott|rtf|txt|md|csv|xlsx?|xlsm|pptx?|html?|xhtml|svg|xml|js|mjs|vbs|vbe|wsf|hta|ps1|sh|py|php|exe|com|bat|cmd|scr|pif|msi|msix|dll|jar|apk|app|dmg|iso|img|lnk|url|zip|rar|7z|gz|tar|png|jpe?g|gif|webp)$/i;

/** A name as it was uploaded, as one clean line without a path. Browsers send UTF-8, which the form's reader takes for Latin-1. */
export function uploadedName(given: string): string {
  const bytes = Buffer.from(given, 'latin1');
  return cleaned(bytes.toString('utf8').includes('\ufffd') ? given : bytes.toString('utf8'));
}

/**
 * Name of a document: without a path, invisible characters and further endings, with the ending of what it is.
 * @returns at most 200 characters; "document" and the ending where nothing of the name is left
 */
export function documentName(given: string, mediaType: DocumentType): string {
  let base = cleaned(given);
  while (ENDINGS.test(base)) base = base.replace(ENDINGS, '').trimEnd();
  while (/^[\s.]|[\s.]$/.test(base)) base = base.replace(/^[\s.]|[\s.]$/g, '');
  const ending = `.${DOCUMENT_TYPES[mediaType]}`;
  return `${shortened(base, MOST - ending.length) || 'document'}${ending}`;
}

/** The name of a picture. */
export const pictureName = (given: string): string => shortened(given, MOST) || 'picture';

function cleaned(name: string): string {
  const slash = Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\'));
  return name
    .slice(slash + 1)
    .replace(/[\t\r\n]+/g, ' ')
    .replace(NOT_IN_NAMES, '')
    .trim();
}

/** Never half a character. */
const shortened = (name: string, most: number): string =>
  (name.slice(0, most).isWellFormed() ? name.slice(0, most) : name.slice(0, most - 1)).trimEnd();
