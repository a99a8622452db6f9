import { mergeAttributes, Node } from '@tiptap/core';
import { onSelected } from './keys';

export interface ButtonAttrs {
  label: string;
  href: string;
}

interface ButtonOptions {
  onEdit: (pos: number, attrs: ButtonAttrs) => void;
}

/** A link that is shown as a button in the mail. */
export const ButtonNode = Node.create<ButtonOptions>({
  name: 'button',
  group: 'block',
  atom: true,
  selectable: true,
  draggable: true,

  addOptions: () => ({ onEdit: () => undefined }),

  addAttributes: () => ({
    label: { default: '', parseHTML: (element) => element.textContent, rendered: false },
    href: {
      default: '',
      parseHTML: (element) => element.getAttribute('data-button') ?? '',
      renderHTML: ({ href }) => ({ 'data-button': String(href) }),
    },
  }),

  parseHTML: () => [{ tag: 'div[data-button]' }],

  renderHTML: ({ node, HTMLAttributes }) => [
    'div',
    mergeAttributes(HTMLAttributes),
    ['span', {}, String(node.attrs.label)],
  ],

  addKeyboardShortcuts() {
    return {
      Enter: ({ editor }) =>
        onSelected(editor, this.name, (pos, attrs) => this.options.onEdit(pos, attrs as ButtonAttrs)),
    };
  },
});
