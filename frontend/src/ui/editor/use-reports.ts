import type { Editor } from '@tiptap/react';
import { startTransition, useCallback, useEffect, useEffectEvent, useRef } from 'react';
import type { RichDocument } from './document';
import { toDocument } from './document-mapping';

/** Ms between two reports of changes. Converting a long document to JSON takes longer than showing a typed key. */
const REPORT_DELAY_MS = 200;

/**
 * Reports changes: the first one at once, those of fast typing together, and the last one before the focus leaves the
 * field.
 * @returns reports changes at once that were not reported yet
 */
export function useReports(
  editor: Editor,
  { onChange, onLeave }: { onChange: (document: RichDocument) => void; onLeave?: () => void },
): () => void {
  const report = useEffectEvent(() => onChange(toDocument(editor.getJSON())));
  const leave = useEffectEvent(() => onLeave?.());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const flushNow = useRef(() => {});
  useEffect(() => {
    let reportedAt = 0;
    const flush = () => {
      if (timer.current === undefined) return;
      clearTimeout(timer.current);
      timer.current = undefined;
      reportedAt = performance.now();
      report();
    };
    flushNow.current = flush;
    const onUpdate = () => {
      if (timer.current !== undefined) return;
      // A transition shows the next key before the page around the field is rendered.
      const pass = () => startTransition(flush);
      timer.current = setTimeout(pass, Math.max(0, REPORT_DELAY_MS - (performance.now() - reportedAt)));
    };
    const onBlur = () => {
      flush();
      leave();
    };
    editor.on('update', onUpdate);
    editor.on('blur', onBlur);
    // Runs in the capturing phase, so that listeners that save on pagehide get the last key too.
    window.addEventListener('pagehide', flush, true);
    return () => {
      flush();
      editor.off('update', onUpdate);
      editor.off('blur', onBlur);
      window.removeEventListener('pagehide', flush, true);
    };
  }, [editor]);
  return useCallback(() => flushNow.current(), []);
}
