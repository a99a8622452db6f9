import { CHECK_LEVELS, type CheckItem, type PreparedFile } from '../../composing/index.js';
import type { LinkCheckDto } from './check.dto.js';
import type { HostStates } from './link-checks.service.js';
import { MB } from '../../../shared/text/bytes.js';

/** Findings for missing parts that every send needs. */
export function missingItems(subject: string, hasBody: boolean, namesAudience: boolean): CheckItem[] {
  const missing = (code: string, text: string): CheckItem => ({ code, level: 'error', text });
  const items = [
    ...(namesAudience ? [] : [missing('lists_missing', 'Choose at least one email list.')]),
    ...(subject.trim() === '' ? [missing('subject_missing', 'The subject is missing.')] : []),
    ...(hasBody ? [] : [missing('content_missing', 'The content is missing.')]),
  ];
  return items.length > 0
    ? items
    : [{ code: 'complete', level: 'passed', text: 'Lists, subject and content are there.' }];
}

export const nobodyItem = (reaches: number): CheckItem =>
  reaches === 0
    ? { code: 'nobody', level: 'error', text: 'Nobody is left to receive this email.' }
    : { code: 'nobody', level: 'passed', text: 'Somebody receives this email.' };

/**
 * Finding for the sender's business address.
 * @param isRequired whether a send without the address is refused
 */
export function addressItem(address: string | null, isRequired: boolean): CheckItem {
  const code = 'sender_address';
  if (address) return { code, level: 'passed', text: 'The footer names your postal address.' };
  return {
    code,
    level: isRequired ? 'error' : 'warning',
    text: 'The footer names no postal address of yours. US law asks for one in every commercial email (15 U.S.C. 7704(a)(5)).',
  };
}

/** Findings for files that would make the server refuse the send. */
export function fileItems(files: readonly PreparedFile[]): CheckItem[] {
  if (files.length === 0) return [];
  const rows = [
    [
      'gone',
      'file_gone',
      'A file of this email was deleted. Take it out or add it again.',
      '{n} files of this email were deleted. Take them out or add them again.',
    ],
    [
      'refused',
      'file_infected',
      'A file contains a virus and cannot be sent.',
      '{n} files contain a virus and cannot be sent.',
    ],
    [
      'checking',
      'file_not_ready',
      'A file is still being checked for viruses.',
      '{n} files are still being checked for viruses.',
    ],
  ] as const;
  const items = rows.flatMap(([wanted, code, one, several]): CheckItem[] => {
    const found = files.filter(({ state }) => state === wanted);
    if (found.length === 0) return [];
    const words = found.map(({ name }) => name).filter(Boolean);
    const text = found.length === 1 ? one : several.replace('{n}', String(found.length));
    return [{ code, level: 'error', text, ...(words.length > 0 && { words }) }];
  });
  return items.length > 0 ? items : [{ code: 'files_ready', level: 'passed', text: 'Files can be sent.' }];
}

/** Total size of attached files in bytes above which some spam filters and phones cause problems. */
const LARGE_ATTACHMENT_BYTES = MB;

/**
 * Finding for attached files; empty if there are none.
 * @param refusal error with which the server would refuse a send with files of this size; null if it would accept them
 */
export function attachmentItem(bytes: number, refusal: Error | null): CheckItem[] {
  if (bytes === 0) return [];
  const code = 'attachments';
  if (refusal) return [{ code, level: 'error', text: refusal.message }];
  if (bytes > LARGE_ATTACHMENT_BYTES)
    return [
      {
        code,
        level: 'warning',
        text: `The attached files are ${(bytes / MB).toFixed(1)} MB in every email. A link is smaller, and you see how often the file was downloaded.`,
      },
    ];
  return [{ code, level: 'passed', text: 'The attached files are small enough.' }];
}

/** Finding for links whose hosts do not exist. */
export function linkItem({ states }: HostStates): CheckItem[] {
  if (states.size === 0) return [];
  const of = (wanted: string) => [...states].filter(([, state]) => state === wanted).map(([host]) => host);
  const [gone, unknown] = [of('no_name'), of('unknown')];
  if (gone.length > 0)
    return [
      {
        code: 'link_host',
        level: 'warning',
        text:
          gone.length === 1
            ? `No server has the name ${gone[0]}.`
            : `No servers have ${gone.length} of the names that links lead to.`,
        words: gone.slice(0, 5),
      },
    ];
  if (unknown.length > 0)
    return [
      {
        code: 'link_host',
        level: 'hint',
        text: unknown.length === 1 ? 'A link could not be checked.' : `${unknown.length} links could not be checked.`,
        words: unknown.slice(0, 5),
      },
    ];
  return [{ code: 'link_host', level: 'passed', text: 'The servers that links lead to exist.' }];
}

export const linkState = ({ open }: HostStates): LinkCheckDto => ({
  state: open === null ? 'unavailable' : open > 0 ? 'checking' : 'done',
  open: open ?? 0,
});

export const testItem = (isTested: boolean): CheckItem =>
  isTested
    ? { code: 'tested', level: 'passed', text: 'You sent yourself a test of this email.' }
    : { code: 'tested', level: 'hint', text: 'Not tested since the last change: send yourself a test.' };

/** Sorts findings: errors first; within a level, in the order of the checks. */
export const byLevel = (items: readonly CheckItem[]): CheckItem[] =>
  items.toSorted((a, b) => CHECK_LEVELS.indexOf(a.level) - CHECK_LEVELS.indexOf(b.level));
