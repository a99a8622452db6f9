import type { Node } from 'prosemirror-model';
import { BORDER, type CellTint, font, TINT_SHADES } from '../../../shared/mail/message-style.js';
import { inlineHtml } from './html-inline.js';
import type { Pieces } from './pieces.js';
import { gridOf, hasHeaderRow, widthOf } from './table-grid.js';

/** Tables with at least this many columns use a smaller font, so that a hotlist fits the message. */
const MANY_COLUMNS = 5;

/**
 * Renders a data table. Header cells have a scope, so that screen readers announce the column of each value.
 * @param blocks renders a cell that holds more than one paragraph
 */
export function tableHtml(table: Node, out: Pieces, blocks: (cell: Node) => void): void {
  const text = widthOf(gridOf(table)) >= MANY_COLUMNS ? font(13, 18) : font(14, 20);
  const hasHeader = hasHeaderRow(table);
  out.text(
    `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%;border-collapse:collapse;word-break:normal">`,
  );
  table.forEach((row, _offset, y) => {
    const isHeader = hasHeader && y === 0;
    if (isHeader) out.text('<thead>');
    if (y === (hasHeader ? 1 : 0)) out.text('<tbody>');
    out.text('\n<tr>');
    row.forEach((cell) => {
      const tag = cell.type.name === 'tableHeader' ? 'th' : 'td';
      out.text(`<${tag}${attributes(cell, isHeader, text)}>`);
      if (isOneParagraph(cell)) inlineHtml(cell.firstChild!, out);
      else blocks(cell);
      out.text(`</${tag}>`);
    });
    out.text('</tr>');
    if (isHeader) out.text('</thead>');
  });
  out.text(hasHeader && table.childCount === 1 ? '</table>' : '</tbody></table>');
}

const isOneParagraph = (cell: Node): boolean => cell.childCount === 1 && cell.firstChild!.type.name === 'paragraph';

function attributes(cell: Node, isHeader: boolean, text: string): string {
  const { colspan, rowspan, tint } = cell.attrs as { colspan: number; rowspan: number; tint: CellTint | null };
  const isTh = cell.type.name === 'tableHeader';
  const shown = tint ?? (isTh ? 'gray' : null);
  const light = shown ? TINT_SHADES[shown].light : null;
  const align = isOneParagraph(cell) ? (cell.firstChild!.attrs['textAlign'] as string) : 'left';
  return [
    isTh ? ` scope="${isHeader ? 'col' : 'row'}"` : '',
    colspan > 1 ? ` colspan="${colspan}"` : '',
    rowspan > 1 ? ` rowspan="${rowspan}"` : '',
    isTh || align !== 'left' ? ` align="${align}"` : '',
    ' valign="top"',
    light ? ` bgcolor="${light}"` : '',
    ` class="cell${shown ? ` t-${shown}` : ''}"`,
    ` style="padding:6px 8px;border:1px solid ${BORDER.light};${text}`,
    light ? `;background-color:${light}` : '',
    isTh ? ';font-weight:600' : '',
    isTh || align !== 'left' ? `;text-align:${align}"` : '"',
  ].join('');
}
