import type { Editor } from '@tiptap/react';
import { useEffect, useImperativeHandle, useRef, type Ref } from 'react';
import { flushSync } from 'react-dom';
import { MAX_FILE_LABEL_LENGTH } from './schema/file-link';

/** Lets the screen around the field read and change its text. */
export interface EditorHandle {
  /** Reports and renders changes that the field would report a moment later. Not for use during a render. */
  flush: () => void;
  /** Inserts a link to a file at the cursor; at the end of the text if the field never had the focus. */
  insertFileLink: (fileId: string, label: string) => void;
  /** Removes all links to a file. */
  removeFileLinks: (fileId: string) => void;
}

/** @param report reports changes that were not reported yet */
export function useEditorHandle(editor: Editor, report: () => void, handle: Ref<EditorHandle> | undefined): void {
  const wasEntered = useRef(false);
  useEffect(() => {
    const enter = () => void (wasEntered.current = true);
    editor.on('focus', enter);
    return () => void editor.off('focus', enter);
  }, [editor]);
  useImperativeHandle(
    handle,
    () => ({
      // Also runs the effects, so that what depends on the text knows it when this returns.
      flush: () => flushSync(report),
      insertFileLink: (fileId, label) =>
        void editor
          .chain()
          .focus(wasEntered.current ? undefined : 'end')
          .insertContent([{ type: 'fileLink', attrs: { fileId, label: label.slice(0, MAX_FILE_LABEL_LENGTH) } }])
          .run(),
      removeFileLinks: (fileId) => {
        const tr = editor.state.tr;
        editor.state.doc.descendants((node, pos) => {
          if (node.type.name === 'fileLink' && node.attrs.fileId === fileId)
            tr.delete(tr.mapping.map(pos), tr.mapping.map(pos + node.nodeSize));
        });
        if (tr.docChanged) editor.view.dispatch(tr);
      },
    }),
    [editor, report],
  );
}
