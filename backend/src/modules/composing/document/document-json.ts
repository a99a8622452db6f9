import type { Mark, Node } from 'prosemirror-model';
import { DOCUMENT_VERSION, type DocumentJson, type MarkJson, type NodeJson } from './document.js';
import { attrsOf } from './document-schema.js';

/** The canonical JSON of a document, with defaults written out: equal documents give equal JSON. */
export const canonicalJson = (root: Node): DocumentJson => ({
  ...(root.toJSON() as DocumentJson),
  version: DOCUMENT_VERSION,
});

/**
 * The JSON in the form that editors produce: without attributes that have their default value. For a table this saves a
 * third of the space and half of the time to store it.
 */
export const briefJson = (root: Node): DocumentJson => ({
  ...(briefNode(root) as DocumentJson),
  version: DOCUMENT_VERSION,
});

function briefNode(node: Node): NodeJson {
  const json: NodeJson = briefMark(node);
  if (node.isText) json.text = node.text!;
  else if (node.childCount > 0) json.content = node.content.content.map(briefNode);
  if (node.marks.length > 0) json.marks = node.marks.map(briefMark);
  return json;
}

function briefMark({ type, attrs }: Node | Mark): MarkJson {
  const json: MarkJson = { type: type.name };
  for (const { name, fallback } of attrsOf(type))
    if (attrs[name] !== fallback) (json.attrs ??= {})[name] = attrs[name] as unknown;
  return json;
}
