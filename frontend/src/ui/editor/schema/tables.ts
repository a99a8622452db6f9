import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table';
import { withoutTab } from './keys';

/** The washes behind a cell that a document knows. */
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

/** What a cell may hold: no table in a table. */
const content = '(paragraph | heading | bulletList | orderedList | blockquote | image | button)+';

/** Tables as wide as the mail: their columns fit the text, so no widths are kept. */
export const tables = [
  Table.extend({ addKeyboardShortcuts: withoutTab }).configure({ resizable: false, allowTableNodeSelection: true }),
  TableRow,
  TableHeader.extend({ content, addAttributes: cellAttributes }),
  TableCell.extend({ content, addAttributes: cellAttributes }),
];
