import type { RichDocument } from '../../../ui/editor/document';
import type { Draft, DraftChange } from '../draft';

const HTTP = /^http:\/\//i;

/** The change that makes the web links of a draft https. */
export const withHttps = ({ document, content }: Pick<Draft, 'document' | 'content'>): DraftChange =>
  document
    ? { document: secured(document) as RichDocument }
    : { content: content.replace(/\bhttp:\/\//gi, 'https://') };

/** Addresses of links are attributes named href; texts stay as they are. */
function secured(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(secured);
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      name === 'href' && typeof value === 'string' ? value.replace(HTTP, 'https://') : secured(value),
    ]),
  );
}
