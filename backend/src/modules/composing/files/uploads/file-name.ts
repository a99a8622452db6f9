import { FILE_TYPES, type FileType } from '../stored-file.entity.js';

/** Maximum number of characters of a name, with its extension. */
const MAX_NAME_LENGTH = 200;
/** Characters that names of files must not contain: control, bidirectional and invisible ones. */
const NOT_IN_NAMES = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;
/**
 * Extensions of common file types. Inside a name they could be mistaken for its type, because some systems hide the
 * last extension.
 */
const ENDINGS =
  /\.(?:pdf|docx?|docm|dotx?|dotm|odt|ott|rtf|txt|md|csv|xlsx?|xlsm|pptx?|html?|xhtml|svg|xml|js|mjs|vbs|vbe|wsf|hta|ps1|sh|py|php|exe|com|bat|cmd|scr|pif|msi|msix|dll|jar|apk|app|dmg|iso|img|lnk|url|zip|rar|7z|gz|tar|png|jpe?g|gif|webp)$/i;

/** The uploaded name as one clean line without a path. Multer decodes it as Latin-1, but browsers send UTF-8. */
export function uploadedName(given: string): string {
  const bytes = Buffer.from(given, 'latin1');
  return cleaned(bytes.toString('utf8').includes('\ufffd') ? given : bytes.toString('utf8'));
}

/**
 * The name of a file: without a path, invisible characters and further extensions, with the extension of its type.
 * @returns at most 200 characters; "document" with the extension if nothing else remains
 */
export function fileNameOf(given: string, mediaType: FileType): string {
  let base = cleaned(given);
  while (ENDINGS.test(base)) base = base.replace(ENDINGS, '').trimEnd();
  while (/^[\s.]|[\s.]$/.test(base)) base = base.replace(/^[\s.]|[\s.]$/g, '');
  const ending = `.${FILE_TYPES[mediaType]}`;
  return `${shortened(base, MAX_NAME_LENGTH - ending.length) || 'document'}${ending}`;
}

/** The name of a picture, at most 200 characters; "picture" if it would be empty. */
export const pictureName = (given: string): string => shortened(given, MAX_NAME_LENGTH) || 'picture';

function cleaned(name: string): string {
  const slash = Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\'));
  return name
    .slice(slash + 1)
    .replace(/[\t\r\n]+/g, ' ')
    .replace(NOT_IN_NAMES, '')
    .trim();
}

/** Cuts a text without splitting a surrogate pair. */
const shortened = (name: string, most: number): string =>
  (name.slice(0, most).isWellFormed() ? name.slice(0, most) : name.slice(0, most - 1)).trimEnd();
