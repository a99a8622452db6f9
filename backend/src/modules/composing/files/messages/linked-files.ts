import { Fragment, type Node } from 'prosemirror-model';
import type { DocumentJson, NodeJson } from '../../document/document.js';
import { documentSchema } from '../../document/document-schema.js';
import { ReadDocument } from '../../document/read-document.js';
import { titleOf } from './files-block.js';
import type { PreparedFile } from './message-files.service.js';

/** Ids of the files to which a document links, without duplicates. */
export function linkedFileIds({ content }: DocumentJson): string[] {
  const ids = new Set<string>();
  const look = (nodes: readonly NodeJson[]): void => {
    for (const node of nodes) {
      if (node.type === 'fileLink') ids.add(node.attrs!['fileId'] as string);
      else if (node.content) look(node.content);
    }
  };
  look(content);
  return [...ids];
}

/** The document with its links to files replaced by ordinary links, for rendering. */
export function withFileLinks(document: ReadDocument, files: readonly PreparedFile[]): ReadDocument {
  if (files.length === 0) return document;
  const byId = new Map(files.map((file) => [file.fileId, file]));
  return new ReadDocument(replaced(document.root, byId));
}

function replaced(node: Node, byId: ReadonlyMap<string, PreparedFile>): Node {
  if (node.type.name === 'fileLink') {
    const file = byId.get(node.attrs['fileId'] as string)!;
    const href = documentSchema.marks.link.create({ href: file.url });
    return documentSchema.text((node.attrs['label'] as string) || titleOf(file) || 'File', href.addToSet(node.marks));
  }
  if (node.isLeaf) return node;
  const children: Node[] = [];
  node.forEach((child) => children.push(replaced(child, byId)));
  return node.copy(Fragment.fromArray(children));
}
