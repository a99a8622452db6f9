export type ToastVariant = 'success' | 'info' | 'warning' | 'destructive';

export interface Toast {
  title: string;
  description?: string;
  variant?: ToastVariant;
  /**
   * Undoes what the toast reports. With it, the toast stays for UNDO_MS, also over navigation, and closes when the undo
   * has finished.
   */
  onUndo?: () => Promise<void>;
}

/** At most MAX_TOASTS are shown at once, each for TOAST_MS. */
export const MAX_TOASTS = 3;
export const TOAST_MS = 5000;

export interface ToastsProps {
  /** Toasts that are not shown yet. */
  queue: Toast[];
  /** Takes these toasts off the queue. Others may have been added since the queue was rendered; they stay on it. */
  onShown: (shown: readonly Toast[]) => void;
  region: HTMLElement;
}

/** Ms for which a deletion can be undone. The server allows a little more. */
export const UNDO_MS = 10_000;
