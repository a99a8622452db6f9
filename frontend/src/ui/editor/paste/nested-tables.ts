import { Fragment, Slice, type Node, type Schema } from '@tiptap/pm/model';
import type { EditorState } from '@tiptap/pm/state';

/** Separates the cells of a table row that was turned into a line of text. */
const BETWEEN_CELLS = ', ';

/**
 * Adapts a paste to the position of the cursor. A table cannot contain another one, so within a table, pasted tables
 * become lines of text. A paste that consists only of cells fills the table.
 */
export function fittedToTable(slice: Slice, state: EditorState): Slice {
  const isCellsAlone = slice.content.childCount === 1 && isTable(slice.content.firstChild!);
  return isCellsAlone || !isInTable(state) ? slice : withoutTables(slice, state.schema);
}

const isTable = ({ type }: Node): boolean => type.spec.tableRole === 'table';

function isInTable({ selection: { $head } }: EditorState): boolean {
  for (let depth = $head.depth; depth > 0; depth -= 1) if (isTable($head.node(depth))) return true;
  return false;
}

function withoutTables(slice: Slice, schema: Schema): Slice {
  const { content, openStart, openEnd } = slice;
  if (!holdsTable(content)) return slice;
  const lines = flattened(content, schema);
  // A table at the start or end of the slice has become complete paragraphs, so no node is open there: depth 0.
  const open = (side: Node | null, depth: number) => (side && isTable(side) ? 0 : depth);
  return new Slice(lines, open(content.firstChild, openStart), open(content.lastChild, openEnd));
}

function holdsTable(content: Fragment): boolean {
  let found = false;
  content.descendants((node) => {
    found ||= isTable(node);
    return !found;
  });
  return found;
}

function flattened(content: Fragment, schema: Schema): Fragment {
  const nodes: Node[] = [];
  content.forEach((node) => {
    if (!isTable(node)) return void nodes.push(node.isTextblock ? node : node.copy(flattened(node.content, schema)));
    node.forEach((row) => {
      const cells: string[] = [];
      row.forEach((cell) => void cells.push(cell.textBetween(0, cell.content.size, ' ').trim()));
      const line = cells.filter(Boolean).join(BETWEEN_CELLS);
      if (line !== '') nodes.push(schema.node('paragraph', null, schema.text(line)));
    });
  });
  return Fragment.from(nodes);
}
