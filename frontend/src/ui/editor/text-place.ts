import type { Node } from '@tiptap/pm/model';
import { NodeSelection, TextSelection, type Selection } from '@tiptap/pm/state';
import type { Editor } from '@tiptap/react';
import { useEffect, useEffectEvent } from 'react';
import { tagText } from './document';
import type { TagAttrs } from './schema/merge-tag';

/** A range of the flat text of a document. */
export interface TextPlace {
  from: number;
  to: number;
  /** Whether the range is a merge tag whose fallback is to be opened. */
  opensTag?: boolean;
}

/** A piece of the flat text: its start in the flat text and in the editor, and its length in both. */
interface Piece {
  at: number;
  length: number;
  pos: number;
  size: number;
  /** A node that can only be selected as a whole. */
  isNode: boolean;
}

/**
 * Splits a document into the pieces of its flat text, with the same lengths as on the server: text as it is, a merge
 * tag as it is typed, a file link or button as its label, a line break as one character, and one more character at the
 * end of each paragraph, heading and button. Pictures and rules count as nothing.
 */
function piecesOf(doc: Node): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const add = (length: number, pos: number, size: number, isNode: boolean) => {
    pieces.push({ at, length, pos, size, isNode });
    at += length;
  };
  const walk = (parent: Node, start: number): void => {
    parent.forEach((node, offset) => {
      const pos = start + offset;
      const length = lengthOf(node);
      if (length !== null) return add(length, pos, node.nodeSize, !node.isText && node.type.name !== 'hardBreak');
      walk(node, pos + 1);
      // The character for the end of a paragraph lies within the paragraph.
      if (node.isTextblock) add(1, pos + node.nodeSize - 1, 0, false);
    });
  };
  walk(doc, 0);
  return pieces;
}

/**
 * Number of characters of a node without child nodes.
 * @returns null for a node with children, for a rule, and for a part that is filled in at the send
 */
function lengthOf(node: Node): number | null {
  if (node.isText) return node.text?.length ?? 0;
  switch (node.type.name) {
    case 'mergeTag':
      return tagText(node.attrs as TagAttrs).length;
    case 'fileLink':
      return String(node.attrs.label).length;
    case 'hardBreak':
      return 1;
    case 'button':
      return String(node.attrs.label).length + 1;
    case 'image':
      return 0;
    default:
      return null;
  }
}

/** The selection in the editor for a range of the document's flat text. */
export function selectionOf(doc: Node, { from, to }: TextPlace): Selection {
  const pieces = piecesOf(doc);
  const node = pieces.find(
    ({ isNode, at, length }) => isNode && (length === 0 ? from === at && to === at : from >= at && to <= at + length),
  );
  // A range that covers a single tag, picture, button or file link selects the node, as a click on it does.
  if (node && (from < to || node.length === 0)) return NodeSelection.create(doc, node.pos);
  const start = pieces.find(({ at, length }) => from < at + length);
  const end = pieces.find(({ at, length }) => to <= at + length && length > 0);
  const last = doc.content.size;
  return TextSelection.between(
    doc.resolve(start ? within(start, from, false) : last),
    doc.resolve(end ? within(end, to, true) : last),
  );
}

/**
 * The position in the editor of a character of a piece. Within a node that cannot be divided, it is the position beside
 * the node.
 */
function within({ at, length, pos, size, isNode }: Piece, character: number, isEnd: boolean): number {
  if (isNode) return isEnd ? pos + size : pos;
  if (length === size) return pos + Math.max(0, character - at);
  return pos;
}

/** Selects the range for which the field was opened, once, and scrolls to it. For a merge tag it opens the fallback. */
export function useSelectedPlace(
  editor: Editor,
  place: TextPlace | null,
  onTag: (pos: number, attrs: TagAttrs) => void,
): void {
  const show = useEffectEvent(() => {
    if (!place || editor.isDestroyed) return;
    const selection = selectionOf(editor.state.doc, place);
    editor.view.dispatch(editor.state.tr.setSelection(selection));
    editor.commands.focus(null, { scrollIntoView: true });
    const node = editor.state.doc.nodeAt(selection.from);
    if (place.opensTag && node?.type.name === 'mergeTag') onTag(selection.from, node.attrs as TagAttrs);
  });
  useEffect(() => {
    // Waits until the field is rendered, which takes one frame.
    const frame = requestAnimationFrame(() => show());
    return () => cancelAnimationFrame(frame);
  }, [editor]);
}
