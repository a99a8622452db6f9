import { mergeAttributes, Node } from '@tiptap/core';
import { onSelected } from './keys';

/** Characters of the text of a file's link. */
export const MAX_FILE_LABEL = 100;

export interface FileLinkAttrs {
  fileId: string;
  label: string;
}

interface FileLinkOptions {
  /** Opens the question what the link says. */
  onEdit: (pos: number, attrs: FileLinkAttrs) => void;
}

/** What the chip shows of a link without words of its own; the mail names the file. */
const UNNAMED = 'File';

/** A link to an uploaded document. Its address is made with each send. */
export const FileLink = Node.create<FileLinkOptions>({
  name: 'fileLink',
  group: 'inline',
  inline: true,
  atom: true,
  selectable: true,

  addOptions: () => ({ onEdit: () => undefined }),

  addAttributes: () => ({
    fileId: {
      default: '',
      parseHTML: (element) => element.getAttribute('data-file-link') ?? '',
      renderHTML: ({ fileId }) => ({ 'data-file-link': String(fileId) }),
    },
    label: {
      default: '',
      parseHTML: (element) => element.getAttribute('data-label') ?? '',
      renderHTML: ({ label }) => ({ 'data-label': String(label) }),
    },
  }),

  parseHTML: () => [{ tag: 'span[data-file-link]' }],

  renderHTML: ({ node, HTMLAttributes }) => [
    'span',
    mergeAttributes(HTMLAttributes),
    String(node.attrs.label) || UNNAMED,
  ],

  renderText: ({ node }) => String(node.attrs.label),

  addKeyboardShortcuts() {
    return {
      Enter: ({ editor }) =>
        onSelected(editor, this.name, (pos, attrs) => this.options.onEdit(pos, attrs as FileLinkAttrs)),
    };
  },
});
