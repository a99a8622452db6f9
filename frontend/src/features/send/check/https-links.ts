import type { RichDocument, RichNode } from '../../../ui/editor/document';
import type { Draft, DraftChange } from '../draft';

type Body = Pick<Draft, 'document' | 'content'>;

const HTTP = /^http:\/\//i;
/** URLs in a plain text, by the same rule as on the server. */
const WEB_ADDRESS = /\bhttps?:\/\/[^\s<>"]+/gi;

const toHttps = (href: string): string => href.replace(HTTP, 'https://');

/** The change that replaces http by https in the links of a draft. */
export const withHttps = ({ document, content }: Body): DraftChange & Partial<Body> =>
  document ? { document: withSecureLinks(document) } : { content: content.replace(WEB_ADDRESS, toHttps) };

const withSecureLinks = (document: RichDocument): RichDocument => ({
  ...document,
  content: document.content.map(securedNode),
});

function securedNode(node: RichNode): RichNode {
  const { attrs, marks, text, content } = node;
  const href = marks?.find(({ type }) => type === 'link')?.attrs?.href;
  return {
    ...node,
    ...(attrs && { attrs: securedAttrs(attrs) }),
    ...(marks && { marks: marks.map((mark) => (mark.attrs ? { ...mark, attrs: securedAttrs(mark.attrs) } : mark)) }),
    // If the text of a link is its URL, the text changes too. Other texts stay.
    ...(text !== undefined && text === href && { text: toHttps(text) }),
    ...(content && { content: content.map(securedNode) }),
  };
}

const securedAttrs = (attrs: Record<string, unknown>): Record<string, unknown> =>
  typeof attrs.href === 'string' ? { ...attrs, href: toHttps(attrs.href) } : attrs;
