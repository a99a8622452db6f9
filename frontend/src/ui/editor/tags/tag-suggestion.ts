import { Extension } from '@tiptap/core';
import { PluginKey } from '@tiptap/pm/state';
import { Suggestion } from '@tiptap/suggestion';
import { firstFallback } from './tag-labels';

/** State after `{{` was typed: the text after it, and the position of the menu. */
export interface SuggestionState {
  query: string;
  rect: DOMRect | null;
  choose: (tag: string) => void;
  /** The open menu registers here for keys of the field; keys that it handles have no other effect. */
  listen: (onKey: ((event: KeyboardEvent) => boolean) | null) => void;
}

interface SuggestionOptions {
  onChange: (state: SuggestionState | null) => void;
}

/** Opens the tag menu at the cursor while `{{` and the beginning of a name precede it. */
export const TagSuggestion = Extension.create<SuggestionOptions>({
  name: 'tagSuggestion',

  addOptions: () => ({ onChange: () => undefined }),

  addProseMirrorPlugins() {
    const { onChange } = this.options;
    let onKey: ((event: KeyboardEvent) => boolean) | null = null;
    const listen: SuggestionState['listen'] = (next) => {
      onKey = next;
    };
    return [
      Suggestion<unknown, { tag: string }>({
        editor: this.editor,
        pluginKey: new PluginKey('tagSuggestion'),
        char: '{{',
        allowedPrefixes: null,
        items: () => [],
        command: ({ editor, range, props: { tag } }) =>
          void editor
            .chain()
            .focus()
            .deleteRange(range)
            .insertMergeTag({ tag, fallback: firstFallback(tag) })
            .run(),
        render: () => {
          const show = (props: {
            query: string;
            clientRect?: (() => DOMRect | null) | null;
            command: (props: { tag: string }) => void;
          }) =>
            onChange({
              query: props.query,
              rect: props.clientRect?.() ?? null,
              choose: (tag) => props.command({ tag }),
              listen,
            });
          return {
            onStart: show,
            onUpdate: show,
            onKeyDown: ({ event }) => onKey?.(event) ?? false,
            onExit: () => onChange(null),
          };
        },
      }),
    ];
  },
});
