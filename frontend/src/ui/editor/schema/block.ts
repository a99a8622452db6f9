import { Node } from '@tiptap/core';
import { BLOCK } from '../document-mapping';

/**
 * A part that its owning capability fills at every send: the document's `block`. The editor keeps it as it is, under another name, since
 * content expressions take `block` for the group of all blocks.
 */
export const Block = Node.create({
  name: BLOCK,
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
