import { mergeAttributes, Node } from '@tiptap/core';
import type { PictureAttrs } from '../pictures/picture-tools';
import { onSelected } from './keys';

interface PictureOptions {
  onEdit: (pos: number, attrs: PictureAttrs) => void;
  /** URL of an uploaded picture. */
  urlOf: (fileId: string) => string;
}

/** An uploaded picture; a document cannot contain pictures on other hosts. */
export const Picture = Node.create<PictureOptions>({
  name: 'image',
  group: 'block',
  atom: true,
  selectable: true,
  draggable: true,

  addOptions: () => ({ onEdit: () => undefined, urlOf: () => '' }),

  addAttributes: () => ({
    fileId: { default: '', parseHTML: (element) => element.getAttribute('data-file') ?? '' },
    alt: { default: '', parseHTML: (element) => element.getAttribute('alt') ?? '' },
    width: { default: 600, parseHTML: (element) => Number(element.getAttribute('width')) || 600 },
    href: { default: null, parseHTML: (element) => element.getAttribute('data-href') },
  }),

  parseHTML: () => [{ tag: 'img[data-file]' }],

  renderHTML({ node }) {
    const { fileId, alt, width, href } = node.attrs as Record<string, string | number | null>;
    return [
      'img',
      mergeAttributes({
        'data-file': fileId,
        src: this.options.urlOf(String(fileId)),
        alt,
        width,
        ...(href !== null && { 'data-href': href }),
      }),
    ];
  },

  addKeyboardShortcuts() {
    return {
      Enter: ({ editor }) =>
        onSelected(editor, this.name, (pos, attrs) => this.options.onEdit(pos, attrs as PictureAttrs)),
    };
  },
});
