import type { JSONContent } from '@tiptap/core';
import type { RichDocument, RichNode } from './document';

/** Name of the document's `block` in the editor. */
export const BLOCK_NODE_NAME = 'externalBlock';

/** Attributes of each node and mark that belong to the document. Others are the editor's own and are dropped. */
const nodeAttrs: Record<string, readonly string[]> = {
  paragraph: ['textAlign'],
  heading: ['level', 'textAlign'],
  orderedList: ['start'],
  tableHeader: ['colspan', 'rowspan', 'tint'],
  tableCell: ['colspan', 'rowspan', 'tint'],
  image: ['fileId', 'alt', 'width', 'href'],
  button: ['label', 'href'],
  mergeTag: ['tag', 'fallback'],
  fileLink: ['fileId', 'label'],
  block: ['kind', 'ref'],
};
const markAttrs: Record<string, readonly string[]> = { link: ['href'], color: ['color'] };

/** Attributes are omitted if they have these default values. */
const defaults: Record<string, unknown> = { textAlign: 'left', start: 1, colspan: 1, rowspan: 1, tint: null };

function attrsOf(allowed: readonly string[] | undefined, attrs: Record<string, unknown> | undefined) {
  const kept = (allowed ?? []).flatMap((name) => {
    const value = attrs?.[name];
    if (value === undefined || (name in defaults && (value === null || value === defaults[name]))) return [];
    return [[name, value] as const];
  });
  return kept.length > 0 ? { attrs: Object.fromEntries(kept) } : {};
}

function nodeOf({ type: name = '', attrs, marks, text, content }: JSONContent): RichNode {
  const type = name === BLOCK_NODE_NAME ? 'block' : name;
  return {
    type,
    ...attrsOf(nodeAttrs[type], attrs),
    ...(marks &&
      marks.length > 0 && {
        marks: marks.map((mark) => ({ type: mark.type, ...attrsOf(markAttrs[mark.type], mark.attrs) })),
      }),
    ...(text !== undefined && { text }),
    ...(content && content.length > 0 && { content: content.map(nodeOf) }),
  };
}

const isBlank = (node: RichNode) => node.type === 'paragraph' && node.content === undefined;

/**
 * The editor's content as a document of the API. Drops the empty line that the editor keeps at the end for the cursor.
 */
export function toDocument(json: JSONContent): RichDocument {
  const content = (json.content ?? []).map(nodeOf);
  while (content.length > 1 && isBlank(content.at(-1)!)) content.pop();
  return { type: 'doc', version: 1, content: content.length > 0 ? content : [{ type: 'paragraph' }] };
}

/** A document as content of the editor. */
export const toEditor = ({ content }: RichDocument): JSONContent => ({
  type: 'doc',
  content: content.map(editorNode),
});

const editorNode = (node: RichNode): JSONContent => ({
  ...(node as JSONContent),
  ...(node.type === 'block' && { type: BLOCK_NODE_NAME }),
  ...(node.content && { content: node.content.map(editorNode) }),
});
