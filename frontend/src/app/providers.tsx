import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { useState, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { theme, THEME_STORAGE_KEY } from '../theme';
import { ToastProvider } from '../ui/toast';
import { makeStore } from './store';

/** What every screen stands on. */
export function Providers({ children }: { children: ReactNode }) {
  const [store] = useState(() => makeStore(typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('session')));
  return (
    <Provider store={store}>
      <ThemeProvider theme={theme} defaultMode="dark" modeStorageKey={THEME_STORAGE_KEY} noSsr disableTransitionOnChange>
        <CssBaseline />
        <ToastProvider>{children}</ToastProvider>
      </ThemeProvider>
    </Provider>
  );
}
