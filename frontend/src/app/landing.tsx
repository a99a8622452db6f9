import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Landing } from '../features/landing/components/landing';
import { NetworkForm } from '../features/subscribe/forms/network-form';
import { routes } from '../lib/routes';
import { theme, THEME_STORAGE_KEY } from '../theme';
import type { Toast } from '../ui/toast';

/** Shows the landing page by itself. The application comes after it only when the visitor goes on. */
export function showLanding(place: HTMLElement): void {
  const root = createRoot(place);
  const goOn = async (toast: Toast) => {
    const { startApp } = await import('./main');
    root.unmount();
    history.pushState(null, '', routes.subscribePending.path);
    startApp(place, toast);
  };
  const refused = async (toast: Toast) => (await import('./landing-toasts')).show(toast);
  root.render(
    <StrictMode>
      <ThemeProvider theme={theme} defaultMode="dark" modeStorageKey={THEME_STORAGE_KEY} noSsr disableTransitionOnChange>
        <CssBaseline />
        <Landing subscribe={<NetworkForm onAsked={(toast) => void goOn(toast)} onRefused={(toast) => void refused(toast)} />} />
      </ThemeProvider>
    </StrictMode>,
  );
}
