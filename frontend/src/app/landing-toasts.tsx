import { ThemeProvider } from '@mui/material/styles';
import { useEffect } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { theme, THEME_STORAGE_KEY } from '../theme';
import { ToastProvider, useToast, type Toast } from '../ui/toast';

let root: Root | undefined;

/** A toast beside the landing page, which has no place for them of its own: fetched when the first one is needed. */
export function show(toast: Toast): void {
  root ??= createRoot(document.body.appendChild(document.createElement('div')));
  root.render(
    <ThemeProvider theme={theme} defaultMode="dark" modeStorageKey={THEME_STORAGE_KEY} noSsr disableTransitionOnChange>
      <ToastProvider>
        <Say toast={{ ...toast }} />
      </ToastProvider>
    </ThemeProvider>,
  );
}

/** Says a toast once, as soon as there is a place for it. */
export function Say({ toast }: { toast: Toast }) {
  const say = useToast();
  useEffect(() => say(toast), [say, toast]);
  return null;
}
