import type { Editor } from '@tiptap/core';
import { firstFallback } from './tags/tag-labels';

/** Undoes the last paste and inserts its plain text instead. */
export function pasteWithoutFormatting(editor: Editor, text: string): void {
  editor.commands.undo();
  editor.view.pasteText(text);
  editor.commands.focus();
}

/** Replaces every occurrence of another tool's merge tag by ours. */
export function replaceWithTag(editor: Editor, written: string, tag: string): void {
  const { state } = editor;
  const places: number[] = [];
  state.doc.descendants((node, pos) => {
    const text = node.text ?? '';
    for (let at = text.indexOf(written); at >= 0; at = text.indexOf(written, at + written.length))
      places.push(pos + at);
  });
  const node = state.schema.nodes.mergeTag?.create({ tag, fallback: firstFallback(tag) });
  if (!node) return;
  const tr = state.tr;
  for (const from of places.reverse()) tr.replaceWith(from, from + written.length, node);
  editor.view.dispatch(tr);
}
