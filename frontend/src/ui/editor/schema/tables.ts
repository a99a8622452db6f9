import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table';
import { withoutTab } from './keys';

/** Background colours of cells. */
export const cellTints = [
  { value: 'yellow', label: 'Yellow' },
  { value: 'green', label: 'Green' },
  { value: 'blue', label: 'Blue' },
  { value: 'red', label: 'Red' },
  { value: 'purple', label: 'Purple' },
  { value: 'orange', label: 'Orange' },
  { value: 'teal', label: 'Teal' },
  { value: 'gray', label: 'Gray' },
] as const;
export type CellTint = (typeof cellTints)[number]['value'];

const span = (name: 'colspan' | 'rowspan') => ({
  default: 1,
  parseHTML: (element: HTMLElement) => Math.max(1, Number.parseInt(element.getAttribute(name) ?? '1', 10) || 1),
});

const cellAttributes = () => ({
  colspan: span('colspan'),
  rowspan: span('rowspan'),
  tint: {
    default: null,
    parseHTML: (element: HTMLElement) => element.getAttribute('data-tint'),
    renderHTML: ({ tint }: Record<string, unknown>) => (tint ? { 'data-tint': String(tint) } : {}),
  },
});

/** Content of a cell: no table within a table. */
const content = '(paragraph | heading | bulletList | orderedList | blockquote | image | button)+';

/** Tables have the width of the mail, and columns adapt to the text, so that no widths are stored. */
export const tables = [
  Table.extend({ addKeyboardShortcuts: withoutTab }).configure({ resizable: false, allowTableNodeSelection: true }),
  TableRow,
  TableHeader.extend({ content, addAttributes: cellAttributes }),
  TableCell.extend({ content, addAttributes: cellAttributes }),
];
