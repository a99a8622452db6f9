import type { Node } from 'prosemirror-model';
import { BORDER, font, LINK } from '../../../shared/mail/message-style.js';
import type { Piece } from '../../../shared/merge-tags/pieces.js';
import { escapeHtml } from '../../../shared/text/html.js';
import { inlineHtml, linkTag } from './html-inline.js';
import { tableHtml } from './html-table.js';
import { Pieces } from './pieces.js';

/** Width in pixels of the message's column without its padding. */
const COLUMN = 560;

const HEADING_TEXT: Readonly<Record<number, string>> = {
  1: 'font-size:22px;line-height:29px',
  2: 'font-size:18px;line-height:25px',
  3: 'font-size:16px;line-height:23px',
};

/** The uploaded pictures that a document shows. */
export interface PictureSource {
  /** URL of an uploaded picture, and its size in pixels. */
  of: (fileId: string) => { url: string; width: number; height: number };
}

/** The context in which a block is rendered. */
interface Setting {
  pictures: PictureSource;
  /** Available width in pixels. */
  width: number;
  /** Space below the block, in pixels. */
  gap: number;
}

/**
 * Renders a document as HTML for mail programs: one row of a layout table per block, because padding of cells is the
 * only spacing that all of them support. All styles are inline.
 * @param accent colour of links and buttons; null means the default colour
 */
export function renderHtml(blocks: readonly Node[], pictures: PictureSource, accent: string | null = null): Piece[] {
  const out = new Pieces(accent);
  out.text(
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed">',
  );
  blocks.forEach((block, n) => {
    const gap = n === blocks.length - 1 ? 0 : 14;
    out.text(`\n<tr><td style="padding:0 0 ${gap}px;${font(15, 23)};overflow-wrap:break-word;word-break:break-word">`);
    blockHtml(block, { pictures, width: COLUMN, gap: 0 }, out);
    out.text('</td></tr>');
  });
  return out.text('</table>').all();
}

/** Renders the blocks in a list, a quote or a cell, without a layout table. */
function stackHtml(parent: Node, setting: Setting, out: Pieces): void {
  parent.forEach((block, _offset, n) =>
    blockHtml(block, { ...setting, gap: n === parent.childCount - 1 ? 0 : setting.gap }, out),
  );
}

function blockHtml(block: Node, setting: Setting, out: Pieces): void {
  switch (block.type.name) {
    case 'paragraph':
      return element('p', block, '', setting.gap, out);
    case 'heading': {
      const level = block.attrs['level'] as number;
      return element(`h${level}`, block, `;${HEADING_TEXT[level]!};font-weight:600`, setting.gap, out);
    }
    case 'bulletList':
    case 'orderedList':
      return listHtml(block, setting, out);
    case 'blockquote':
      return quoteHtml(block, setting, out);
    case 'horizontalRule':
      return void out.text(
        `<hr class="rule" style="border:0;border-top:1px solid ${BORDER.light};margin:4px 0 ${setting.gap + 4}px">`,
      );
    case 'table':
      return spaced(setting, out, () =>
        tableHtml(block, out, (cell) =>
          stackHtml(cell, { ...setting, width: Math.floor(setting.width / 2), gap: 6 }, out),
        ),
      );
    case 'image':
      return spaced(setting, out, () => imageHtml(block, setting, out));
    case 'button':
      return spaced(setting, out, () => buttonHtml(block, out));
    default:
      throw new Error(`${block.type.name} has no rendering`);
  }
}

function element(tag: string, block: Node, style: string, gap: number, out: Pieces): void {
  const align = block.attrs['textAlign'] as string;
  out.text(`<${tag} style="margin:0 0 ${gap}px${style}${align === 'left' ? '' : `;text-align:${align}`}">`);
  if (block.childCount === 0) out.text('\u00a0');
  else inlineHtml(block, out);
  out.text(`</${tag}>`);
}

function listHtml(list: Node, setting: Setting, out: Pieces): void {
  const isOrdered = list.type.name === 'orderedList';
  const start = isOrdered && list.attrs['start'] !== 1 ? ` start="${list.attrs['start'] as number}"` : '';
  out.text(`<${isOrdered ? 'ol' : 'ul'}${start} style="margin:0 0 ${setting.gap}px;padding:0 0 0 26px">`);
  list.forEach((item, _offset, n) => {
    const below = n === list.childCount - 1 ? 0 : 4;
    out.text(`<li style="margin:0 0 ${below}px">`);
    stackHtml(item, { ...setting, width: setting.width - 26, gap: 4 }, out);
    out.text('</li>');
  });
  out.text(isOrdered ? '</ol>' : '</ul>');
}

function quoteHtml(quote: Node, setting: Setting, out: Pieces): void {
  spaced(setting, out, () => {
    out.text(
      `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="quote" style="padding:0 0 0 12px;border-left:3px solid ${BORDER.light};${font(15, 23)}">`,
    );
    stackHtml(quote, { ...setting, width: setting.width - 15, gap: 10 }, out);
    out.text('</td></tr></table>');
  });
}

function imageHtml(image: Node, { pictures, width: room }: Setting, out: Pieces): void {
  const {
    fileId,
    alt,
    width: wanted,
    href,
  } = image.attrs as {
    fileId: string;
    alt: string;
    width: number | null;
    href: string | null;
  };
  const source = pictures.of(fileId);
  const width = Math.max(1, Math.min(wanted ?? source.width, room));
  const height = Math.max(1, Math.round((source.height * width) / source.width));
  if (href) out.text(linkTag(href, out.accent));
  out.text(
    `<img src="${escapeHtml(source.url)}" alt="${escapeHtml(alt)}" width="${width}" height="${height}" border="0" style="display:block;border:0;max-width:100%;height:auto">`,
  );
  if (href) out.text('</a>');
}

function buttonHtml(button: Node, out: Pieces): void {
  const { label, href } = button.attrs as { label: string; href: string };
  const color = out.accent ?? LINK.light;
  out.text(
    `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="btn" bgcolor="${color}" style="padding:11px 20px;background-color:${color};border-radius:6px;${font(15, 20)}"><a href="${escapeHtml(href)}" rel="noopener noreferrer" style="color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></td></tr></table>`,
  );
}

/** Adds the space below a block that cannot have a margin of its own. */
function spaced({ gap }: Setting, out: Pieces, render: () => void): void {
  if (gap === 0) return render();
  out.text(
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td style="padding:0 0 ${gap}px">`,
  );
  render();
  out.text('</td></tr></table>');
}
