import { plural } from '../../lib/format';

/** Types of documents for the attribute `accept`. The server judges a file by its bytes. */
export const DOCUMENT_ACCEPT = '.pdf,.docx,.doc,.odt,.rtf,.txt';

const types = {
  'application/pdf': { label: 'PDF', ending: 'pdf' },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': { label: 'Word', ending: 'docx' },
  'application/msword': { label: 'Word', ending: 'doc' },
  'application/vnd.oasis.opendocument.text': { label: 'ODT', ending: 'odt' },
  'application/rtf': { label: 'RTF', ending: 'rtf' },
  'text/plain': { label: 'Text', ending: 'txt' },
  'image/jpeg': { label: 'JPEG', ending: 'jpg' },
  'image/png': { label: 'PNG', ending: 'png' },
} as const;

/** The properties that every response about a file has. */
interface Described {
  name: string;
  mediaType: keyof typeof types;
  byteSize: number;
}

const KB = 1024;
const MB = 1024 * KB;

/** A size in the format of the mails: '240 KB', '1.5 MB'. */
export const sizeText = (bytes: number): string =>
  bytes < MB ? `${Math.max(1, Math.round(bytes / KB))} KB` : `${(bytes / MB).toFixed(1).replace(/\.0$/, '')} MB`;

/** 'PDF, 240 KB'. */
export const detailsText = ({ mediaType, byteSize }: Omit<Described, 'name'>): string =>
  `${types[mediaType].label}, ${sizeText(byteSize)}`;

/** A file's name without its extension, because its type is shown beside it. */
export function titleOf({ name, mediaType }: Omit<Described, 'byteSize'>): string {
  const { ending } = types[mediaType];
  return name.endsWith(`.${ending}`) ? name.slice(0, -ending.length - 1) : name;
}

/** '41 by people, 12 automatic'. */
export const downloadsText = ({ downloads, automated }: { downloads: number; automated: number }): string =>
  `${plural(downloads, 'by people', 'by people')}, ${plural(automated, 'automatic', 'automatic')}`;

/** Choices for the days for which a link works. */
export const LINK_DAYS = [7, 30, 90] as const;
export type LinkDays = (typeof LINK_DAYS)[number];
export const dayChoices = LINK_DAYS.map((days) => ({ value: String(days) as `${LinkDays}`, label: `${days} days` }));
export const linkDays = (value: `${LinkDays}`): LinkDays => LINK_DAYS.find((days) => String(days) === value) ?? 30;
