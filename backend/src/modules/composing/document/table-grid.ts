import type { Node } from 'prosemirror-model';
import { DOCUMENT_LIMITS } from './document.js';

/** A cell in the grid of its table. A cell that spans rows or columns covers several places. */
export interface GridCell {
  cell: Node;
  /** Whether this is the first place that the cell covers. */
  isStart: boolean;
}

/** The cells of a table by row and column. If no cell covers a place, it is undefined, or its row ends before it. */
export function gridOf(table: Node): (GridCell | undefined)[][] {
  const grid: (GridCell | undefined)[][] = Array.from({ length: table.childCount }, () => []);
  table.forEach((row, _offset, y) => {
    let x = 0;
    row.forEach((cell) => {
      while (grid[y]![x]) x += 1;
      const { colspan, rowspan } = cell.attrs as { colspan: number; rowspan: number };
      const lastRow = Math.min(y + rowspan, table.childCount);
      const lastColumn = Math.min(x + colspan, DOCUMENT_LIMITS.tableColumns + 1);
      for (let r = y; r < lastRow; r += 1)
        for (let c = x; c < lastColumn; c += 1) grid[r]![c] ??= { cell, isStart: r === y && c === x };
      x = lastColumn;
    });
  });
  return grid;
}

export const widthOf = (grid: readonly (readonly unknown[])[]): number =>
  grid.reduce((most, row) => Math.max(most, row.length), 0);

/**
 * Checks that an email can show a table.
 * @returns why it cannot, for the error message; null for a valid table
 */
export function tableFault(table: Node): string | null {
  const { tableRows, tableColumns } = DOCUMENT_LIMITS;
  if (table.childCount > tableRows) return `a table has at most ${tableRows} rows`;
  const width = widthOf(gridOf(table));
  if (width === 0) return 'a table without cells';
  return width > tableColumns ? `a table has at most ${tableColumns} columns` : null;
}

/** Whether the first row of a table is a header: it consists of header cells. */
export function hasHeaderRow(table: Node): boolean {
  const row = table.firstChild!;
  let isHeader = row.childCount > 0;
  row.forEach((cell) => {
    if (cell.type.name !== 'tableHeader') isHeader = false;
  });
  return isHeader;
}
