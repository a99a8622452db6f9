import { commands, Extension } from '@tiptap/core';

/** Gives the text the focus at once. Tiptap's own command waits for the next frame, and what is typed until then is lost. */
export const FocusAtOnce = Extension.create({
  name: 'focusAtOnce',

  addCommands: () => ({
    focus: (position, options) => (props) => {
      const { editor, view, dispatch } = props;
      if (dispatch && position !== false && !view.hasFocus()) {
        view.focus();
        if (options?.scrollIntoView !== false)
          requestAnimationFrame(() => void (editor.isDestroyed || editor.commands.scrollIntoView()));
      }
      // A menu that is closing takes the focus back: then Tiptap's command gives it to the text a frame later.
      return commands.focus(position, options)(props);
    },
  }),
});
