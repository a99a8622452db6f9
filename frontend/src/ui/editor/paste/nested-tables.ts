import { Fragment, Slice, type Node, type Schema } from '@tiptap/pm/model';
import type { EditorState } from '@tiptap/pm/state';

/** What stands between the cells of a row that became a line. */
const BETWEEN_CELLS = ', ';

/**
 * A paste for the present place: within a table, pasted tables become lines, since a table holds no other one. Cells
 * alone fill the table.
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
  // A table that was cut open is a line now, which is open no deeper.
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
