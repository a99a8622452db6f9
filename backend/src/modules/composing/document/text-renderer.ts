import type { Mark, Node } from 'prosemirror-model';
import { isTag, type Piece } from '../../../shared/merge-tags/pieces.js';
import { type Line, Pieces, piecesOf } from './pieces.js';
import { tableLines } from './text-table.js';

const RULE = '-'.repeat(40);

/**
 * Renders a document as plain text in the form in which people type it: links as "text (URL)", lists with dashes and
 * numbers, tables in columns.
 */
export function renderText(blocks: readonly Node[]): Piece[] {
  const out = new Pieces();
  blocksLines(blocks).forEach((line, n) => {
    if (n > 0) out.text('\n');
    out.add(line);
  });
  return out.all();
}

/** Lines of blocks, with a blank line between two blocks. */
function blocksLines(blocks: readonly Node[]): Line[] {
  return blocks.flatMap((block, n) => (n > 0 ? [[], ...blockLines(block)] : blockLines(block)));
}

function blockLines(block: Node): Line[] {
  switch (block.type.name) {
    case 'paragraph':
    case 'heading':
      return inlineLines(block);
    case 'bulletList':
    case 'orderedList':
      return listLines(block);
    case 'blockquote':
      return blocksLines(childrenOf(block)).map((line) => (line.length > 0 ? ['> ', ...line] : ['>']));
    case 'horizontalRule':
      return [[RULE]];
    case 'table':
      return tableLines(block, cellLine);
    case 'image':
      return [[linked(block.attrs['alt'] as string, block.attrs['href'] as string | null)]];
    case 'button':
      return [[linked(block.attrs['label'] as string, block.attrs['href'] as string)]];
    default:
      throw new Error(`${block.type.name} has no rendering`);
  }
}

function listLines(list: Node): Line[] {
  const start = list.type.name === 'orderedList' ? (list.attrs['start'] as number) : null;
  return childrenOf(list).flatMap((item, n) => {
    const marker = start === null ? '- ' : `${start + n}. `;
    const indent = ' '.repeat(marker.length);
    // A nested list follows its item's paragraph without an empty line.
    const lines = childrenOf(item).flatMap((block, at) =>
      at > 0 && !block.type.name.endsWith('List') ? [[], ...blockLines(block)] : blockLines(block),
    );
    return lines.map((line, at) => (at === 0 ? [marker, ...line] : line.length > 0 ? [indent, ...line] : line));
  });
}

/** The content of a cell on one line. */
function cellLine(cell: Node): Line {
  const lines = childrenOf(cell)
    .flatMap(blockLines)
    .filter((line) => line.length > 0);
  return lines.flatMap((line, n) => (n > 0 ? ['; ', ...line] : line));
}

/**
 * Lines of inline content. The URL of a link follows the last text of that link. A merge tag after a URL is separated
 * by a space, because mail programs would read the tag's value as part of the URL.
 */
function inlineLines(parent: Node): Line[] {
  const lines: Pieces[] = [new Pieces()];
  let link: { href: string; shown: string } | null = null;
  let endsWithAddress = false;
  const endLink = (): void => {
    endsWithAddress = link !== null && !isAddress(link.shown, link.href);
    if (endsWithAddress) lines.at(-1)!.text(` (${shownAddress(link!.href)})`);
    link = null;
  };
  parent.forEach((node) => {
    const href = hrefOf(node.marks);
    if (href !== (link as { href: string } | null)?.href) endLink();
    if (href !== undefined) link ??= { href, shown: '' };
    if (node.isText && link) (link as { shown: string }).shown += node.text!;
    if (node.type.name === 'hardBreak') lines.push(new Pieces());
    else
      for (const piece of piecesOf(node)) {
        if (isTag(piece))
          lines
            .at(-1)!
            .text(endsWithAddress ? ' ' : '')
            .tag(piece);
        else addLines(lines, piece);
        endsWithAddress = false;
      }
    endsWithAddress = false;
  });
  endLink();
  return lines.map((line) => line.all());
}

function addLines(lines: Pieces[], text: string): void {
  const [first, ...further] = text.split('\n');
  lines.at(-1)!.text(first!);
  for (const line of further) lines.push(new Pieces().text(line));
}

const hrefOf = (marks: readonly Mark[]): string | undefined =>
  marks.find(({ type }) => type.name === 'link')?.attrs['href'] as string | undefined;

const linked = (text: string, href: string | null): string => {
  if (!href || isAddress(text, href)) return text;
  return text === '' ? shownAddress(href) : `${text} (${shownAddress(href)})`;
};

/** The URL of a link without `mailto:` or `tel:`, as people write it. */
const shownAddress = (href: string): string => href.replace(/^(mailto|tel):/i, '');

/** Whether the text of a link equals its URL. */
function isAddress(text: string, href: string): boolean {
  const bare = (address: string): string =>
    shownAddress(address.trim())
      .replace(/^https?:\/\/(www\.)?/i, '')
      .replace(/\/$/, '')
      .toLowerCase();
  return bare(text) === bare(href);
}

function childrenOf(parent: Node): Node[] {
  const children: Node[] = [];
  parent.forEach((child) => children.push(child));
  return children;
}
