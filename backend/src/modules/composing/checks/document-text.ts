import type { Node } from 'prosemirror-model';
import { asTyped } from '../../../shared/merge-tags/pieces.js';
import type { ReadDocument } from '../document/read-document.js';
import { type PlacedTag, placedTags } from '../merge-tags/tag-syntax.js';

/** A link in a text, with its offsets. */
export interface TextLink {
  href: string;
  /** The text of the link that readers see. */
  text: string;
  from: number;
  to: number;
}

/** The body of a message as one text, with the offsets of its links, tags and pictures. */
export interface BodyText {
  text: string;
  links: TextLink[];
  tags: PlacedTag[];
  /** Alt texts of the pictures, with their offsets in the text; an alt text may be empty. */
  pictures: { alt: string; at: number }[];
}

/**
 * The flat text of a document. The offsets of findings count its characters. A merge tag is written as typed, a link to
 * a file as its label, a line break as one character. Paragraphs, headings and buttons each end with one more line
 * break; pictures and rules have no characters. The web app counts in the same way.
 */
export function documentText({ root }: ReadDocument): BodyText {
  const body: BodyText = { text: '', links: [], tags: [], pictures: [] };
  root.descendants((node) => {
    const { name } = node.type;
    if (node.isTextblock) addTextblock(body, node);
    else if (name === 'button') addLink(body, node.attrs.href as string, `${node.attrs.label as string}`, '\n');
    else if (name === 'image') {
      const { alt, href } = node.attrs as { alt: string; href: string | null };
      body.pictures.push({ alt, at: body.text.length });
      if (href) addLink(body, href, '');
    }
    return !node.isTextblock;
  });
  return body;
}

function addTextblock(body: BodyText, block: Node): void {
  let open: TextLink | null = null;
  block.forEach((node) => {
    const from = body.text.length;
    const { tag, fallback } = node.attrs as { tag: string; fallback: string | null };
    const isTag = node.type.name === 'mergeTag';
    const label = node.type.name === 'fileLink' ? (node.attrs.label as string) : null;
    const shown = label ?? (node.isText ? node.text! : isTag ? asTyped({ tag, fallback }) : '\n');
    body.text += shown;
    const to = body.text.length;
    if (isTag) body.tags.push({ tag, fallback, from, to });
    const href = node.marks.find(({ type }) => type.name === 'link')?.attrs.href as string | undefined;
    // Neighbouring texts with the same link but other formats are one link.
    if (href !== undefined && open?.href === href && open.to === from) {
      open.to = to;
      open.text += shown;
    } else if (href === undefined) open = null;
    else body.links.push((open = { href, text: shown, from, to }));
  });
  body.text += '\n';
}

function addLink(body: BodyText, href: string, text: string, end = ''): void {
  const from = body.text.length;
  body.links.push({ href, text, from, to: from + text.length });
  body.text += text + end;
}

const WEB_ADDRESS = /\bhttps?:\/\/[^\s<>"]+/gi;
const ENDS = new Set(['.', ',', ';', ':', '!', '?', ')', ']', "'", '>']);

/** The body of a plain-text message. Its links are the URLs in the text. */
export function plainText(text: string): BodyText {
  const links = [...text.matchAll(WEB_ADDRESS)].map(({ 0: found, index }) => {
    let end = found.length;
    while (end > 0 && ENDS.has(found[end - 1]!)) end -= 1;
    const href = found.slice(0, end);
    return { href, text: href, from: index, to: index + end };
  });
  return { text, links, tags: placedTags(text), pictures: [] };
}
