import type { Node } from 'prosemirror-model';
import stringWidth from 'string-width';
import { textTooLarge } from '../composing.errors.js';
import { DOCUMENT_LIMITS } from './document.js';
import type { Line } from './pieces.js';
import { gridOf, type GridCell, hasHeaderRow, widthOf } from './table-grid.js';

/** Maximum number of characters in a row of an aligned table. */
const MAX_ROW_LENGTH = 100;
const GAP = '  ';
/** Maximum number of characters of a header that is repeated in front of its values. */
const MAX_LABEL_LENGTH = 60;

/**
 * Renders a table in aligned columns if its rows fit in 100 characters and no cell has a merge tag, whose width differs
 * between recipients. Otherwise renders a block of "Header: value" lines for each row.
 */
export function tableLines(table: Node, lineOf: (cell: Node) => Line): Line[] {
  const grid = gridOf(table);
  const hasHeader = hasHeaderRow(table);
  const columns = widthOf(grid);
  const lines = new Map<Node, Line>();
  const textOf = (place: GridCell | undefined): Line => {
    if (!place) return [];
    let line = lines.get(place.cell);
    if (!line) lines.set(place.cell, (line = lineOf(place.cell)));
    return line;
  };
  const aligned = alignedLines(grid, columns, hasHeader, textOf);
  return aligned ?? blockLines(grid, hasHeader, textOf);
}

type Grid = (GridCell | undefined)[][];

function alignedLines(
  grid: Grid,
  columns: number,
  hasHeader: boolean,
  lineOf: (place: GridCell | undefined) => Line,
): Line[] | null {
  const texts = grid.map((row) =>
    Array.from({ length: columns }, (_, x) => {
      const place = row[x];
      return place?.isStart ? lineOf(place) : [];
    }),
  );
  if (texts.flat().some((line) => line.some((piece) => typeof piece !== 'string'))) return null;
  const cells = texts.map((row) => row.map((line) => line.join('')));
  const widths = Array.from({ length: columns }, (_, x) => Math.max(...cells.map((row) => stringWidth(row[x]!))));
  if (widths.reduce((sum, width) => sum + width, 0) + GAP.length * (columns - 1) > MAX_ROW_LENGTH) return null;
  const shown = cells.map((row) =>
    row
      .map((text, x) => text + ' '.repeat(widths[x]! - stringWidth(text)))
      .join(GAP)
      .trimEnd(),
  );
  if (hasHeader) shown.splice(1, 0, widths.map((width) => '-'.repeat(width)).join(GAP));
  return shown.map((line) => (line === '' ? [] : [line]));
}

function blockLines(grid: Grid, hasHeader: boolean, lineOf: (place: GridCell | undefined) => Line): Line[] {
  const headers = hasHeader ? grid[0]!.map((place) => labelOf(lineOf(place))) : [];
  const rows = hasHeader && grid.length > 1 ? grid.slice(1) : grid;
  const isNamed = hasHeader && grid.length > 1;
  // A cell that spans rows is repeated in each row, which can multiply the text. The limit is therefore checked at each
  // value.
  let characters = 0;
  const spend = (value: Line): void => {
    for (const piece of value) characters += typeof piece === 'string' ? piece.length : 0;
    if (characters > DOCUMENT_LIMITS.textCharacters) throw textTooLarge();
  };
  return rows.flatMap((row, y) => {
    const lines = row.flatMap((place, x) => {
      // A cell that spans columns is written once; a cell that spans rows is repeated in each row.
      if (!place || (x > 0 && row[x - 1]?.cell === place.cell)) return [];
      const value = lineOf(place);
      if (value.length === 0) return [];
      spend(value);
      const header = headers[x] ?? [];
      return [isNamed && header.length > 0 ? [...header, ': ', ...value] : value];
    });
    return y > 0 && lines.length > 0 ? [[], ...lines] : lines;
  });
}

/** The beginning of a header, which is written in front of each value of its column. */
function labelOf(header: Line): Line {
  const text = header.filter((piece) => typeof piece === 'string').join('');
  return text.length > MAX_LABEL_LENGTH ? [`${[...text].slice(0, MAX_LABEL_LENGTH).join('')}…`] : header;
}
