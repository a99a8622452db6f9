import type { Mark, Node } from 'prosemirror-model';
import { LINK, TEXT_SHADES, type TextColor } from '../../../shared/mail/message-style.js';
import { isTag } from '../../../shared/merge-tags/pieces.js';
import { escapeHtml, escapeText } from '../../../shared/text/html.js';
import { type Pieces, piecesOf } from './pieces.js';

const NBSP = '\u00a0';
/**
 * Nesting order of marks. Link and colour are outermost, so that a link remains one element even if the formatting of
 * its text changes.
 */
const ORDER = ['link', 'color', 'bold', 'italic', 'underline', 'strike'];

/** Renders the inline content of a paragraph or heading. Marks that neighbouring texts share are opened once. */
export function inlineHtml(parent: Node, out: Pieces): void {
  let open: Mark[] = [];
  parent.forEach((node, _offset, n) => {
    const wanted = [...node.marks].sort((a, b) => ORDER.indexOf(a.type.name) - ORDER.indexOf(b.type.name));
    const kept = sharedStart(open, wanted);
    close(open.slice(kept), out);
    for (const mark of wanted.slice(kept)) out.text(openTag(mark, out.accent));
    open = wanted;
    if (node.type.name === 'hardBreak') out.text('<br>');
    else
      piecesOf(node).forEach((piece, at) =>
        isTag(piece) ? out.tag(piece) : out.text(textHtml(piece, n === 0 && at === 0)),
      );
  });
  close(open, out);
}

/**
 * Escapes a text and preserves its spaces: HTML collapses repeated spaces and drops those at the start of a paragraph.
 */
function textHtml(text: string, isFirst: boolean): string {
  const spaced = escapeText(text)
    .replaceAll('\t', '    ')
    .replace(/ {2,}/g, (blanks) => `${NBSP.repeat(blanks.length - 1)} `)
    .replaceAll('\n', '<br>');
  return isFirst && spaced.startsWith(' ') ? NBSP + spaced.slice(1) : spaced;
}

function sharedStart(open: readonly Mark[], wanted: readonly Mark[]): number {
  let n = 0;
  while (n < open.length && n < wanted.length && open[n]!.eq(wanted[n]!)) n += 1;
  return n;
}

function close(marks: readonly Mark[], out: Pieces): void {
  for (const mark of [...marks].reverse()) out.text(CLOSING[mark.type.name]!);
}

const CLOSING: Readonly<Record<string, string>> = {
  link: '</a>',
  color: '</span>',
  bold: '</strong>',
  italic: '</em>',
  underline: '</u>',
  strike: '</s>',
};

function openTag({ type, attrs }: Mark, accent: string | null): string {
  switch (type.name) {
    case 'link':
      return linkTag(attrs['href'] as string, accent);
    case 'color': {
      const color = attrs['color'] as TextColor;
      return `<span class="c-${color}" style="color:${TEXT_SHADES[color].light}">`;
    }
    default:
      return CLOSING[type.name]!.replace('</', '<');
  }
}

export const linkTag = (href: string, accent: string | null): string =>
  `<a href="${escapeHtml(href)}" rel="noopener noreferrer" style="color:${accent ?? LINK.light};text-decoration:underline">`;
