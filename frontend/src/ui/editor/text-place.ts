import type { Node } from '@tiptap/pm/model';
import { tagText } from './document';

/** A range of the flat text of a document. */
export interface TextPlace {
  from: number;
  to: number;
  /** It is a merge tag that needs a fallback. */
  opensTag?: boolean;
}

/**
 * Positions in the editor of a range of the document's flat text, in which the server counts: texts as they are, a merge tag as it is
 * typed, a line break as one character, one more after each paragraph, heading and button, and nothing for pictures and rules.
 */
export function positionsOf(doc: Node, { from, to }: TextPlace): { from: number; to: number } {
  let at = 0;
  const found = { from: -1, to: -1 };
  const take = (length: number, pos: number, isText: boolean) => {
    const end = at + length;
    if (found.from < 0 && from < end) found.from = isText ? pos + from - at : pos;
    if (found.to < 0 && to <= end) found.to = isText ? pos + Math.max(0, to - at) : pos + 1;
    at = end;
  };
  const walk = (parent: Node, start: number): void => {
    parent.forEach((node, offset) => {
      const pos = start + offset;
      if (node.isText) return take(node.text?.length ?? 0, pos, true);
      const { name } = node.type;
      if (name === 'mergeTag')
        return take(
          tagText({ tag: String(node.attrs.tag), fallback: node.attrs.fallback as string | null }).length,
          pos,
          false,
        );
      if (name === 'hardBreak') return take(1, pos, false);
      if (name === 'button') return take(String(node.attrs.label).length + 1, pos, false);
      walk(node, pos + 1);
      if (node.isTextblock) take(1, pos + node.nodeSize - 1, false);
    });
  };
  walk(doc, 0);
  const last = doc.content.size;
  const start = found.from < 0 ? last : found.from;
  return { from: start, to: Math.max(start, Math.min(last, found.to < 0 ? last : found.to)) };
}
