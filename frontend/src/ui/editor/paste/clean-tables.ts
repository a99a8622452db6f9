import { rename, unwrap } from './dom';

const SPREADSHEET_HTML =
  /Excel\.Sheet|office:excel|google-sheets-html-origin|data-sheets|LibreOffice[^"]*Calc|class="?xl\d+/i;

/** Whether the clipboard comes from a spreadsheet, so that the first row is a header. */
export const isSheet = (body: HTMLElement): boolean => {
  const page = body.ownerDocument.documentElement.outerHTML.slice(0, 20_000);
  return (
    SPREADSHEET_HTML.test(page) ||
    (/LibreOffice/i.test(page) && body.children.length === 1 && body.firstElementChild?.tagName === 'TABLE')
  );
};

/**
 * Keeps tables of data, with a header row if they have one. Tables that only lay out a page are replaced by their text.
 */
export function cleanTables(body: HTMLElement, sheet: boolean): void {
  for (const table of [...body.querySelectorAll('table')].reverse()) {
    if (table.parentElement?.closest('table')) flatten(table, ' ');
    else if (isLayout(table)) flatten(table);
  }
  for (const table of body.querySelectorAll('table')) {
    dropEmptyEdges(table);
    markHeader(table, sheet);
  }
}

const rowsOf = (table: HTMLTableElement) => [...table.rows];

const isLayout = (table: HTMLTableElement) =>
  table.getAttribute('role') === 'presentation' ||
  rowsOf(table).every((row) => row.cells.length <= 1) ||
  (rowsOf(table).length === 1 &&
    table.querySelector('p, div, ul') !== null &&
    table.border === '0' &&
    !table.querySelector('th'));

function flatten(table: HTMLTableElement, between = ''): void {
  const parts: (Node | string)[] = [];
  for (const row of rowsOf(table)) {
    for (const cell of row.cells) {
      if (between) {
        parts.push(cell.textContent.trim(), between);
        continue;
      }
      const block = cell.ownerDocument.createElement('div');
      block.append(...cell.childNodes);
      parts.push(block);
    }
  }
  table.replaceWith(...parts);
}

/** Removes empty rows and columns at the edges, in which a copied range often ends. */
function dropEmptyEdges(table: HTMLTableElement): void {
  for (const row of rowsOf(table).reverse()) {
    if (row.cells.length > 0 && row.textContent.trim() !== '') break;
    row.remove();
  }
  const rows = rowsOf(table);
  const isSimple = rows.every((row) => [...row.cells].every((cell) => cell.colSpan === 1 && cell.rowSpan === 1));
  if (!isSimple) return;
  for (;;) {
    const last = Math.max(0, ...rows.map((row) => row.cells.length)) - 1;
    if (last < 1 || rows.some((row) => (row.cells[last]?.textContent.trim() ?? '') !== '')) return;
    for (const row of rows) row.cells[last]?.remove();
  }
}

const isBold = (cell: HTMLTableCellElement) => {
  const text = cell.textContent.trim();
  if (text === '') return true;
  if (/font-weight:\s*(?:bold|[6-9]00)/i.test(cell.getAttribute('style') ?? '')) return true;
  const bold = [...cell.querySelectorAll<HTMLElement>('b, strong, [style*="font-weight" i]')].filter(
    (one) => one.matches('b, strong') || /font-weight:\s*(?:bold|[6-9]00)/i.test(one.getAttribute('style') ?? ''),
  );
  return bold.some((one) => one.textContent.trim() === text);
};

const shadeOf = (cell: HTMLTableCellElement | undefined) =>
  /background(?:-color)?:\s*([^;]+)/i
    .exec(cell?.getAttribute('style') ?? '')?.[1]
    ?.trim()
    .toLowerCase() ??
  cell?.getAttribute('bgcolor') ??
  '';

const NO_SHADE = /^(?:|none|transparent|white|#fff(?:fff)?|initial)$/;

function markHeader(table: HTMLTableElement, sheet: boolean): void {
  const [first, second] = rowsOf(table);
  if (!first) return;
  const cells = [...first.cells];
  const isHeader =
    table.tHead?.contains(first) === true ||
    (second !== undefined &&
      cells.length > 1 &&
      (sheet ||
        (cells.every(isBold) && cells.some((cell) => cell.textContent.trim() !== '')) ||
        (cells.every((cell) => !NO_SHADE.test(shadeOf(cell))) && shadeOf(cells[0]) !== shadeOf(second.cells[0]))));
  if (isHeader) for (const cell of cells) if (cell.tagName === 'TD') rename(cell, 'th');
  for (const section of [...table.querySelectorAll('thead, tfoot')]) {
    // The schema has only rows, so sections are unwrapped; the rows of a table's foot come last.
    unwrap(section);
  }
}
