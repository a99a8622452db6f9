import { Node } from '@tiptap/core';
import { BLOCK_NODE_NAME } from '../document-mapping';

/**
 * The document's `block`: a part that is filled in at every send. The editor keeps it unchanged under another name,
 * because content expressions use `block` for the group of all blocks.
 */
export const Block = Node.create({
  name: BLOCK_NODE_NAME,
  group: 'block',
  atom: true,
  selectable: true,

  addAttributes: () => ({
    kind: { default: '', parseHTML: (element: HTMLElement) => element.getAttribute('data-block') ?? '' },
    ref: { default: '', parseHTML: (element: HTMLElement) => element.getAttribute('data-ref') ?? '' },
  }),

  parseHTML: () => [{ tag: 'div[data-block]' }],

  renderHTML: ({ node }) => [
    'div',
    { 'data-block': String(node.attrs.kind), 'data-ref': String(node.attrs.ref) },
    String(node.attrs.kind),
  ],
});
