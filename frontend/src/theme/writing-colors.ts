/**
 * Text and cell colours that the message editor offers, for each scheme. The mail has its own shades (message-style.ts
 * in the backend). They are not in palette.ts, to keep them out of the initial bundle.
 */
interface WritingColors {
  /** Colours of text, with WCAG AA contrast on all three surfaces. */
  ink: Record<'red' | 'orange' | 'green' | 'teal' | 'blue' | 'purple' | 'brown' | 'gray', string>;
  /** Backgrounds of table cells, for text of the ordinary colour. */
  tint: Record<'yellow' | 'green' | 'blue' | 'red' | 'purple' | 'orange' | 'teal' | 'gray', string>;
}

const dark: WritingColors = {
  ink: {
    red: '#f68f84',
    orange: '#f0a35e',
    green: '#96d172',
    teal: '#54cfc4',
    blue: '#86bbf5',
    purple: '#c6a6f2',
    brown: '#d3ac8a',
    gray: '#a7afab',
  },
  tint: {
    red: '#46292a',
    orange: '#46321f',
    yellow: '#413a1c',
    green: '#26391f',
    teal: '#173a38',
    blue: '#1f3449',
    purple: '#352b48',
    gray: '#303636',
  },
};

const light: WritingColors = {
  ink: {
    red: '#a9241c',
    orange: '#8f4300',
    green: '#2d691b',
    teal: '#0a6767',
    blue: '#1c5a9f',
    purple: '#6a35a8',
    brown: '#6b4426',
    gray: '#535c58',
  },
  tint: {
    red: '#fbe1de',
    orange: '#fde6d0',
    yellow: '#fdf3c7',
    green: '#e0f0d8',
    teal: '#d8efec',
    blue: '#dceafa',
    purple: '#ebe1f8',
    gray: '#e6e8e6',
  },
};

export const writingColors = { dark, light };

/** The text colours that a document can have, with their labels. */
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
