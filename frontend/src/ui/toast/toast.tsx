import Box from '@mui/material/Box';
import { createContext, lazy, Suspense, useCallback, useContext, useEffect, useState, type ReactNode } from 'react';
import { TOAST_MS, type Toast, type ToastsProps } from './toast-types';

export { MAX_TOASTS, TOAST_MS, type Toast, type ToastVariant } from './toast-types';

/** Fetched with the first toast. If that fails, as without a connection, the toast is shown as plain text. */
const Toasts = lazy(() => import('./toasts').catch(() => ({ default: PlainToasts })));

const ToastContext = createContext<(toast: Toast) => void>(() => undefined);

/** Shows toasts. Rendered once, around the whole app. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [region] = useState(findRegion);
  const [queue, setQueue] = useState<Toast[] | null>(null);
  const show = useCallback((toast: Toast) => {
    // A copy, because the queue tells toasts apart by identity, and a caller may show one object twice.
    const added = { ...toast };
    setQueue((before) => [...(before ?? []), added]);
  }, []);
  const onShown = useCallback(
    (shown: readonly Toast[]) => setQueue((before) => before!.filter((toast) => !shown.includes(toast))),
    [],
  );
  return (
    <ToastContext value={show}>
      {children}
      {queue && (
        <Suspense fallback={null}>
          <Toasts queue={queue} onShown={onShown} region={region} />
        </Suspense>
      )}
    </ToastContext>
  );
}

/** `toast({ title, description, variant })`. */
export const useToast = (): ((toast: Toast) => void) => useContext(ToastContext);

/** Shows the last toast as plain text if the code of the toasts cannot be fetched. */
function PlainToasts({ queue }: ToastsProps): ReactNode {
  const last = queue.at(-1);
  const [closed, setClosed] = useState<Toast>();
  useEffect(() => {
    const timer = setTimeout(() => setClosed(last), TOAST_MS);
    return () => clearTimeout(timer);
  }, [last]);
  return (
    last !== closed && (
      <Box
        role="alert"
        sx={{ position: 'fixed', right: 20, bottom: 20, zIndex: 'snackbar', bgcolor: 'surface.raised', p: 2 }}
      >
        {[last!.title, last!.description].join('. ')}
      </Box>
    )
  );
}

/** The region of all toasts in the document, created before the first toast. */
function findRegion(): HTMLElement {
  const found = document.getElementById('toasts');
  if (found) return found;
  const made = document.createElement('div');
  made.id = 'toasts';
  made.setAttribute('role', 'region');
  made.setAttribute('aria-label', 'Notifications');
  document.body.append(made);
  return made;
}
