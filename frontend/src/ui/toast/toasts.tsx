import type { Theme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { SnackbarProvider, useSnackbar } from 'notistack';
import { useEffect, useRef } from 'react';
import { ToastCard } from './toast-card';
import { MAX_TOASTS, TOAST_MS, type ToastsProps } from './toast-types';

const cards = { success: ToastCard, info: ToastCard, warning: ToastCard, error: ToastCard };

/** Shows toasts above each other in the lower right corner; on a phone below the header. */
export default function Toasts(props: ToastsProps) {
  const isPhone = useMediaQuery((theme: Theme) => theme.breakpoints.down('sm'));
  return (
    <SnackbarProvider
      maxSnack={MAX_TOASTS}
      autoHideDuration={TOAST_MS}
      // At the top on a phone, because the buttons of screens and dialogs are at the bottom.
      anchorOrigin={{ vertical: isPhone ? 'top' : 'bottom', horizontal: 'right' }}
      domRoot={props.region}
      Components={cards}
    >
      <Feed {...props} />
    </SnackbarProvider>
  );
}

function Feed({ queue, onShown }: ToastsProps) {
  const { enqueueSnackbar } = useSnackbar();
  const shown = useRef<typeof queue>(undefined);
  useEffect(() => {
    if (queue.length === 0 || shown.current === queue) return;
    shown.current = queue;
    for (const { title, description, variant = 'info', onUndo } of queue) {
      // The card closes itself: the provider's timer pauses while the pointer is over it, but the server's deadline
      // does not.
      enqueueSnackbar(title, {
        variant: variant === 'destructive' ? 'error' : variant,
        description,
        ...(onUndo && { onUndo, persist: true }),
      });
    }
    onShown();
  }, [queue, onShown, enqueueSnackbar]);
  return null;
}
