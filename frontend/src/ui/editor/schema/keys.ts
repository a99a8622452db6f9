import { type Editor, Extension, type KeyboardShortcutCommand } from '@tiptap/core';

type Shortcuts = Record<string, KeyboardShortcutCommand>;

/** The keys of an extension except Tab, which EditorKeys handles for the whole field. */
export function withoutTab(this: { parent: (() => Shortcuts) | null | undefined }): Shortcuts {
  const { Tab: _tab, 'Shift-Tab': _back, ...rest } = this.parent?.() ?? {};
  return rest;
}

/** Calls `act` if a node with this name is selected. @returns whether it was */
export function onSelected(editor: Editor, name: string, act: (pos: number, attrs: object) => void): boolean {
  const { selection } = editor.state;
  const node = 'node' in selection ? editor.state.doc.nodeAt(selection.from) : null;
  if (node?.type.name !== name) return false;
  act(selection.from, node.attrs);
  return true;
}

const hasLists = (editor: Editor): boolean => 'listItem' in editor.schema.nodes;

interface KeyOptions {
  onToolbar: () => void;
  onLink: () => void;
}

interface KeyStorage {
  /** Whether Escape was pressed in a table, so that the next Tab leaves the field. */
  mayLeave: boolean;
}

/**
 * Keys besides those of the schema. Tab leaves the field, so that the keyboard is not trapped. In a table it moves to
 * the next cell, and leaves after Escape.
 */
export const EditorKeys = Extension.create<KeyOptions, KeyStorage>({
  name: 'editorKeys',
  priority: 1000,

  addOptions: () => ({ onToolbar: () => undefined, onLink: () => undefined }),
  addStorage: () => ({ mayLeave: false }),

  addKeyboardShortcuts() {
    const isCell = () => {
      const isHeld = this.editor.isActive('table') && !this.storage.mayLeave;
      this.storage.mayLeave = false;
      return isHeld;
    };
    const { editor } = this;
    return {
      'Alt-F10': () => {
        this.options.onToolbar();
        return true;
      },
      'Mod-k': () => {
        this.options.onLink();
        return true;
      },
      Escape: () => {
        this.storage.mayLeave = this.editor.isActive('table');
        return this.storage.mayLeave;
      },
      // Unhandled keys are the browser's: the focus moves to the next control.
      Tab: () => isCell() && (editor.commands.goToNextCell() || editor.chain().addRowAfter().goToNextCell().run()),
      'Shift-Tab': () => isCell() && editor.commands.goToPreviousCell(),
      'Mod-]': () => hasLists(editor) && editor.commands.sinkListItem('listItem'),
      'Mod-[': () => hasLists(editor) && editor.commands.liftListItem('listItem'),
    };
  },
});
