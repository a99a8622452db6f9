import { Mark } from '@tiptap/core';
import { textColors } from '../../../theme/writing-colors';

export const Color = Mark.create({
  name: 'color',

  addAttributes: () => ({
    color: {
      default: null,
      parseHTML: (element: HTMLElement) => element.getAttribute('data-color'),
      renderHTML: ({ color }: Record<string, unknown>) => ({ 'data-color': String(color) }),
    },
  }),

  parseHTML: () => textColors.map(({ value }) => ({ tag: `span[data-color="${value}"]` })),

  renderHTML: ({ HTMLAttributes }) => ['span', HTMLAttributes, 0],
});
