import type { Editor } from '@tiptap/core';

export interface ClipboardPaste {
  html?: string;
  text?: string;
  files?: File[];
}

/** A paste event with data; jsdom has neither clipboard events nor DataTransfer. */
export function pasteEvent({ html = '', text = '', files = [] }: ClipboardPaste): Event {
  const data: Record<string, string> = { 'text/html': html, 'text/plain': text };
  const event = new Event('paste', { bubbles: true, cancelable: true });
  return Object.assign(event, { clipboardData: { getData: (type: string) => data[type] ?? '', types: [], files } });
}

/** Pastes into an editor as a browser would. */
export function clipboardPaste(editor: Editor, data: ClipboardPaste): void {
  editor.view.dom.dispatchEvent(pasteEvent(data));
}
