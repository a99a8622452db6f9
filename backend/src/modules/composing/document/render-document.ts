import type { Node } from 'prosemirror-model';
import { asTyped, fillPieces, type Piece } from '../../../shared/merge-tags/pieces.js';
import { documentInvalid, textTooLarge } from '../composing.errors.js';
import { DOCUMENT_LIMITS, type DocumentJson, type NodeJson } from './document.js';
import { type PictureSource, renderHtml } from './html-renderer.js';
import type { ReadDocument } from './read-document.js';
import { renderText } from './text-renderer.js';

/** The parts of a message that were rendered from a document, split at its merge tags. */
export interface RenderedDocument {
  html: Piece[];
  text: Piece[];
  /** The text part with its tags as typed, for search, exports and clients that cannot show documents. */
  content: string;
}

/**
 * Renders a document.
 * @param accent colour of links and buttons; null means the default colour
 * @throws 400 `document_invalid` if its HTML or text part exceeds its limit
 */
export function renderDocument(
  { root }: ReadDocument,
  pictures: PictureSource,
  accent: string | null = null,
): RenderedDocument {
  const blocks = withoutTrailingBlanks(root);
  const html = renderHtml(blocks, pictures, accent);
  const bytes = html.reduce((sum, piece) => sum + Buffer.byteLength(typeof piece === 'string' ? piece : piece.tag), 0);
  if (bytes > DOCUMENT_LIMITS.htmlBytes)
    throw documentInvalid(
      `document: too large for an email: ${Math.ceil(bytes / 1024)} KB, at most ${DOCUMENT_LIMITS.htmlBytes / 1024} KB`,
    );
  const text = renderText(blocks);
  const characters = text.reduce((sum, piece) => sum + (typeof piece === 'string' ? piece.length : 0), 0);
  if (characters > DOCUMENT_LIMITS.textCharacters) throw textTooLarge();
  return { html, text, content: fillPieces(text, asTyped) };
}

/** Removes empty paragraphs from the end, because editors append one automatically. */
function withoutTrailingBlanks(root: Node): Node[] {
  const blocks: Node[] = [];
  root.forEach((block) => blocks.push(block));
  while (blocks.length > 1 && blocks.at(-1)!.type.name === 'paragraph' && blocks.at(-1)!.childCount === 0) blocks.pop();
  return blocks;
}

/** Ids of the pictures that a document shows. */
export function picturesOf(document: ReadDocument): string[] {
  const ids = new Set<string>();
  document.root.descendants((node) => {
    if (node.type.name === 'image') ids.add(node.attrs['fileId'] as string);
  });
  return [...ids];
}

/** Ids of the pictures in the JSON of a stored document, without validating it again. */
export function pictureIdsIn({ content }: DocumentJson): string[] {
  const ids = new Set<string>();
  const look = (nodes: readonly NodeJson[]): void => {
    for (const node of nodes) {
      if (node.type === 'image') ids.add(node.attrs!['fileId'] as string);
      else if (node.content) look(node.content);
    }
  };
  look(content);
  return [...ids];
}

export function hrefsOf(document: ReadDocument): string[] {
  const hrefs = new Set<string>();
  document.root.descendants((node) => {
    const own = node.attrs['href'] as string | null | undefined;
    if (own) hrefs.add(own);
    for (const mark of node.marks) if (mark.type.name === 'link') hrefs.add(mark.attrs['href'] as string);
  });
  return [...hrefs];
}

/**
 * Whether a document has no content. Content is a merge tag, a link to a file, a picture, a button, a block, or any
 * text other than white space.
 */
export function isBlank(document: ReadDocument): boolean {
  let found = false;
  document.root.descendants((node) => {
    if (
      node.isText
        ? /\S/.test(node.text!)
        : ['mergeTag', 'fileLink', 'image', 'button', 'block'].includes(node.type.name)
    )
      found = true;
    return !found;
  });
  return !found;
}
