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
function PlainToasts({ queue, onShown }: ToastsProps) {
  const [shown, setShown] = useState<Toast>();
  const last = queue.at(-1);
  if (last && last !== shown) setShown(last);
  useEffect(() => {
    if (queue.length > 0) onShown(queue);
  }, [queue, onShown]);
  useEffect(() => {
    const timer = setTimeout(() => setShown(undefined), TOAST_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <Box
      role="alert"
      sx={{
        position: 'fixed',
        right: 20,
        bottom: 20,
        zIndex: 'snackbar',
        maxWidth: 380,
        bgcolor: 'surface.raised',
        borderRadius: 2,
        p: shown ? 2 : 0,
      }}
    >
      {shown && [shown.title, shown.description].filter(Boolean).join('. ')}
    </Box>
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
