import { InputRule, mergeAttributes, Node, nodePasteRule, PasteRule } from '@tiptap/core';
import { isKnownTag, tagLabel } from '../tags/tag-labels';
import { BRACES_AT_END, tagsIn, tagWithin } from '../tags/tag-syntax';
import { onSelected } from './keys';

export interface TagAttrs {
  tag: string;
  fallback: string | null;
}

interface MergeTagOptions {
  /** Opens the popover for the fallback of the tag. */
  onEdit: (pos: number, attrs: TagAttrs) => void;
}

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    mergeTag: {
      insertMergeTag: (attrs: TagAttrs) => ReturnType;
    };
  }
}

/**
 * Attributes of the tag.
 * @returns null for an unknown name: it stays text, and the server reports it
 */
function attrsOf(match: RegExpMatchArray): TagAttrs | null {
  const found = tagWithin(match[1] ?? '');
  return found && isKnownTag(found.tag) ? found : null;
}

/** A merge tag. `{{tag|fallback}}` becomes one when it is typed or pasted. */
export const MergeTag = Node.create<MergeTagOptions>({
  name: 'mergeTag',
  group: 'inline',
  inline: true,
  atom: true,
  selectable: true,

  addOptions: () => ({ onEdit: () => undefined }),

  addAttributes: () => ({
    tag: {
      default: '',
      parseHTML: (element) => element.getAttribute('data-tag') ?? '',
      renderHTML: ({ tag }) => ({ 'data-tag': String(tag) }),
    },
    fallback: {
      default: null,
      parseHTML: (element) => element.getAttribute('data-fallback'),
      renderHTML: ({ fallback }) => (fallback ? { 'data-fallback': String(fallback) } : {}),
    },
  }),

  parseHTML: () => [{ tag: 'span[data-tag]' }],

  renderHTML({ node, HTMLAttributes }) {
    const { tag, fallback } = node.attrs as TagAttrs;
    return ['span', mergeAttributes(HTMLAttributes), fallback ? `${tagLabel(tag)} · ${fallback}` : tagLabel(tag)];
  },

  renderText: ({ node }) => {
    const { tag, fallback } = node.attrs as TagAttrs;
    return fallback ? `{{${tag}|${fallback}}}` : `{{${tag}}}`;
  },

  addCommands() {
    return {
      insertMergeTag:
        (attrs) =>
        ({ commands }) =>
          commands.insertContent([{ type: this.name, attrs }]),
    };
  },

  addKeyboardShortcuts() {
    return {
      Enter: ({ editor }) => onSelected(editor, this.name, (pos, attrs) => this.options.onEdit(pos, attrs as TagAttrs)),
    };
  },

  addInputRules() {
    return [
      new InputRule({
        find: BRACES_AT_END,
        handler: ({ state, range, match }) => {
          const attrs = attrsOf(match);
          if (attrs) state.tr.replaceWith(range.from, range.to, this.type.create(attrs));
        },
      }),
    ];
  },

  addPasteRules(): PasteRule[] {
    const find = (text: string) =>
      tagsIn(text).flatMap(({ tag, fallback, from, to }) =>
        isKnownTag(tag) ? [{ index: from, text: text.slice(from, to), data: { tag, fallback } }] : [],
      );
    return [nodePasteRule({ find, type: this.type, getAttributes: ({ data }) => ({ ...data }) })];
  },
});
