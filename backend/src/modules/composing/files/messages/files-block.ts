import { BORDER, font, LINK } from '../../../../shared/mail/message-style.js';
import { escapeHtml, escapeText } from '../../../../shared/text/html.js';
import { FILE_TYPES, type FileType } from '../stored-file.entity.js';
import type { PreparedFile } from './message-files.service.js';
import { KB, MB } from '../../../../shared/text/bytes.js';

const LABELS: Readonly<Record<FileType, string>> = {
  'application/pdf': 'PDF',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
  'application/vnd.oasis.opendocument.text': 'ODT',
  'text/plain': 'Text',
  'application/msword': 'Word',
  'application/rtf': 'RTF',
};

/** A size with its unit: 240 KB, 1.5 MB. */
export const sizeText = (bytes: number): string =>
  bytes < MB ? `${Math.max(1, Math.round(bytes / KB))} KB` : `${(bytes / MB).toFixed(1).replace(/\.0$/, '')} MB`;

/** A file's name without its extension, because its type is shown beside it. */
export const titleOf = ({ name, mediaType }: Pick<PreparedFile, 'name' | 'mediaType'>): string =>
  name.endsWith(`.${FILE_TYPES[mediaType]}`) ? name.slice(0, -FILE_TYPES[mediaType].length - 1) : name;

/** Type, size and expiry of a file, such as "(PDF, 240 KB), until Dec 21, 2026". */
const detailsOf = ({ mediaType, byteSize, until }: PreparedFile): string =>
  `(${LABELS[mediaType]}, ${sizeText(byteSize)}), until ${until}`;

/** The block above the signature that lists a message's files. HTML and text are empty if there are no files. */
export function filesBlock(files: readonly PreparedFile[], accent: string | null): { html: string; text: string } {
  if (files.length === 0) return { html: '', text: '' };
  const color = accent ?? LINK.light;
  const lines = files.map(
    (file) =>
      `<br><a href="${escapeHtml(file.url)}" rel="noopener noreferrer" style="color:${color};text-decoration:underline">${escapeText(titleOf(file))}</a> ${escapeText(detailsOf(file))}`,
  );
  return {
    html: `\n<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed"><tr><td style="padding:18px 0 0;font-size:0;line-height:0">\u00a0</td></tr><tr><td class="rule" style="padding:12px 0 0;border-top:1px solid ${BORDER.light};${font(15, 23)};overflow-wrap:break-word;word-break:break-word"><strong>Files</strong>${lines.join('')}</td></tr></table>`,
    text: `\n\nFiles\n${files.map((file) => `- ${titleOf(file)} ${detailsOf(file)}\n  ${file.url}`).join('\n')}`,
  };
}
