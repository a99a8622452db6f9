import CssBaseline from '@mui/material/CssBaseline';
import { useEffect, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { AppTheme } from '../theme';
import { ToastProvider, useToast, type Toast } from '../ui/toast/toast';

/** Theme, base styles and toasts: around every screen but the landing page. */
export function ThemeAndToasts({ children }: { children: ReactNode }) {
  return (
    <AppTheme>
      <CssBaseline />
      <ToastProvider>{children}</ToastProvider>
    </AppTheme>
  );
}

let root: Root | undefined;

/** Shows a toast next to the landing page. To stay small, that page has no toast provider of its own. */
export function showToastBesideLanding(toast: Toast): void {
  root ??= createRoot(document.body.appendChild(document.createElement('div')));
  root.render(
    <AppTheme>
      <ToastProvider>
        <ShowToast toast={{ ...toast }} />
      </ToastProvider>
    </AppTheme>,
  );
}

/** Shows a toast once, when it is mounted. */
export function ShowToast({ toast }: { toast: Toast }) {
  const show = useToast();
  useEffect(() => show(toast), [show, toast]);
  return null;
}
