import { mergeAttributes, Node } from '@tiptap/core';
import { onSelected } from './keys';

/** Maximum length of the text of a file link, in characters. */
export const MAX_FILE_LABEL_LENGTH = 100;

export interface FileLinkAttrs {
  fileId: string;
  label: string;
}

interface FileLinkOptions {
  /** Opens the popover for the text of the link. */
  onEdit: (pos: number, attrs: FileLinkAttrs) => void;
}

/** Text in the editor for a link without a text of its own; the mail uses the file's name. */
const DEFAULT_LABEL = 'File';

/** A link to an uploaded document. Every send creates its own URL for it. */
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
    String(node.attrs.label) || DEFAULT_LABEL,
  ],

  renderText: ({ node }) => String(node.attrs.label),

  addKeyboardShortcuts() {
    return {
      Enter: ({ editor }) =>
        onSelected(editor, this.name, (pos, attrs) => this.options.onEdit(pos, attrs as FileLinkAttrs)),
    };
  },
});
