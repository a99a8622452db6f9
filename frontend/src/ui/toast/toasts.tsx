import type { Theme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { SnackbarProvider, useSnackbar } from 'notistack';
import { useEffect, useRef, type ReactNode } from 'react';
import { ToastCard } from './toast-card';
import { MAX_TOASTS, TOAST_MS, type Toast, type ToastsProps } from './toast-types';

const cards = { success: ToastCard, info: ToastCard, warning: ToastCard, error: ToastCard };

/** Shows toasts above each other in the lower right corner; on a phone below the header. */
export default function Toasts(props: ToastsProps): ReactNode {
  const isPhone = useMediaQuery((theme: Theme) => theme.breakpoints.down('sm'));
  const { region } = props;
  useEffect(() => keepAnnounced(region), [region]);
  return (
    <SnackbarProvider
      maxSnack={MAX_TOASTS}
      autoHideDuration={TOAST_MS}
      // At the top on a phone, because the buttons of screens and dialogs are at the bottom.
      anchorOrigin={{ vertical: isPhone ? 'top' : 'bottom', horizontal: 'right' }}
      domRoot={region}
      Components={cards}
    >
      <Feed {...props} />
    </SnackbarProvider>
  );
}

/**
 * Keeps screen readers announcing toasts while a dialog sets aria-hidden on everything outside it.
 * @returns a function that ends this
 */
function keepAnnounced(region: HTMLElement): () => void {
  const show = () => region.removeAttribute('aria-hidden');
  show();
  const observer = new MutationObserver(show);
  observer.observe(region, { attributeFilter: ['aria-hidden'] });
  return () => observer.disconnect();
}

function Feed({ queue, onShown }: ToastsProps) {
  const { enqueueSnackbar } = useSnackbar();
  /** Toasts that were already enqueued. They may still be in `queue` when this renders again. */
  const shown = useRef(new WeakSet<Toast>());
  useEffect(() => {
    if (queue.length === 0) return;
    for (const toast of queue) {
      if (shown.current.has(toast)) continue;
      shown.current.add(toast);
      const { title, description, variant = 'info', onUndo } = toast;
      // The card closes itself: the provider's timer pauses while the pointer is over it, but the server's deadline
      // does not.
      enqueueSnackbar(title, {
        variant: variant === 'destructive' ? 'error' : variant,
        description,
        ...(onUndo && { onUndo, persist: true }),
      });
    }
    onShown(queue);
  }, [queue, onShown, enqueueSnackbar]);
  return null;
}
