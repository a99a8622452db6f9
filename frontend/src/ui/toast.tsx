import { SnackbarProvider, useSnackbar } from 'notistack';
import { useCallback, useState, type ReactNode } from 'react';
import { ToastCard } from './toast-card';

export type ToastVariant = 'success' | 'info' | 'warning' | 'destructive';

export interface Toast {
  title: string;
  description?: string;
  variant?: ToastVariant;
}

/** product.md section 9: at most 3 at once, gone after 5000 ms. */
export const MAX_TOASTS = 3;
export const TOAST_MS = 5000;

const cards = { success: ToastCard, info: ToastCard, warning: ToastCard, error: ToastCard };

/** The toasts, each a live region of its own, stay alive while a dialog hides everything beside it. */
function keepHeard(region: HTMLElement | null) {
  if (!region) return;
  const observer = new MutationObserver(() => region.removeAttribute('aria-hidden'));
  observer.observe(region, { attributeFilter: ['aria-hidden'] });
  return () => observer.disconnect();
}

/** Where toasts appear. Stands once, around the whole app. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [region] = useState(() => {
    const found = document.getElementById('toasts');
    if (found) return found;
    const made = document.createElement('div');
    made.id = 'toasts';
    made.setAttribute('role', 'region');
    made.setAttribute('aria-label', 'Notifications');
    document.body.append(made);
    keepHeard(made);
    return made;
  });
  return (
    <SnackbarProvider
      maxSnack={MAX_TOASTS}
      autoHideDuration={TOAST_MS}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      domRoot={region}
      Components={cards}
    >
      {children}
    </SnackbarProvider>
  );
}

/** `toast({ title, description, variant })`. */
export function useToast(): (toast: Toast) => void {
  const { enqueueSnackbar } = useSnackbar();
  return useCallback(
    ({ title, description, variant = 'info' }) => {
      enqueueSnackbar(title, { variant: variant === 'destructive' ? 'error' : variant, description });
    },
    [enqueueSnackbar],
  );
}
