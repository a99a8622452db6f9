import type { SenderProfileDto } from '../../../api/endpoints.gen';
import type { CurrentUser } from '../../../api/session';
import type { RichDocument, RichNode } from '../../../ui/editor/document';

const text = (value: string, ...marks: NonNullable<RichNode['marks']>): RichNode => ({
  type: 'text',
  text: value,
  ...(marks.length > 0 && { marks }),
});
const link = (label: string, href: string) => text(label, { type: 'link', attrs: { href } });

/** A signature from the known details of the sender: name, title and agency, phone, links; one line each. */
export function signatureOf(user: CurrentUser, profile: SenderProfileDto): RichDocument {
  const { title, phone, website, profileUrl } = profile;
  const place = [title, user.agencyName].filter(Boolean).join(', ');
  const links = [
    ...(website ? [link(website.replace(/^https:\/\/(?:www\.)?/i, '').replace(/\/$/, ''), website)] : []),
    ...(profileUrl ? [link('LinkedIn', profileUrl)] : []),
  ];
  const lines: RichNode[][] = [
    [text(`${user.firstName} ${user.lastName}`.trim(), { type: 'bold' })],
    ...(place ? [[text(place)]] : []),
    ...(phone ? [[text(phone)]] : []),
    ...(links.length > 0 ? [links.flatMap((node, n) => (n > 0 ? [text(' · '), node] : [node]))] : []),
  ];
  const content = lines.flatMap((line, n) => (n > 0 ? [{ type: 'hardBreak' }, ...line] : line));
  return { type: 'doc', version: 1, content: [{ type: 'paragraph', content }] };
}

/** A closing line from the typed text; null for an empty text. */
export function closingDocument(typed: string): RichDocument | null {
  if (typed.trim() === '') return null;
  const content = typed
    .split('\n')
    .flatMap((line, n) => [...(n > 0 ? [{ type: 'hardBreak' }] : []), ...(line === '' ? [] : [text(line)])]);
  return { type: 'doc', version: 1, content: [{ type: 'paragraph', content }] };
}

/** The text of a closing line, for its field. */
export const closingTextOf = (document: RichDocument | null): string =>
  (document?.content ?? []).map((block) => (block.content ?? []).map(inlineText).join('')).join('\n');

const inlineText = ({ type, text: value }: RichNode): string => (type === 'hardBreak' ? '\n' : (value ?? ''));
