import { commands, Extension } from '@tiptap/core';

/** Focuses the text at once. Tiptap's own command waits for the next frame, and keys typed until then are lost. */
export const ImmediateFocus = Extension.create({
  name: 'focusAtOnce',

  addCommands: () => ({
    focus: (position, options) => (props) => {
      const { editor, view, dispatch } = props;
      if (dispatch && position !== false && !view.hasFocus()) {
        view.focus();
        if (options?.scrollIntoView !== false)
          requestAnimationFrame(() => void (editor.isDestroyed || editor.commands.scrollIntoView()));
      }
      // A menu that is closing takes the focus back, so Tiptap's command focuses the text again a frame later.
      return commands.focus(position, options)(props);
    },
  }),
});
