import { Mark } from '@tiptap/core';

/** The colours of text that a document knows, with the words for them. */
export const textColors = [
  { value: 'red', label: 'Red' },
  { value: 'orange', label: 'Orange' },
  { value: 'green', label: 'Green' },
  { value: 'teal', label: 'Teal' },
  { value: 'blue', label: 'Blue' },
  { value: 'purple', label: 'Purple' },
  { value: 'brown', label: 'Brown' },
  { value: 'gray', label: 'Gray' },
] as const;
export type TextColor = (typeof textColors)[number]['value'];

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
